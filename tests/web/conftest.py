"""What tests of the page's server have in common."""

from collections.abc import Iterator

import pytest

from tests.web.test_server import Site


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.server.close()
