"""What tests of the parts that publish have in common."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.web.test_server import Site


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def site(stack: ExitStack) -> Site:
    site = Site()
    stack.callback(site.server.close)
    return site
