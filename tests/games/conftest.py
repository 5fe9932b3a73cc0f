"""What tests of Knee Deep in Hexes have in common."""

import pytest

from tests.games.test_knee_deep import mapped


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The proposed map with only the terrain of the rulebook's war."""
    return mapped(tmp_path_factory, [(-3, 8)], [(-2, 11)], [])
