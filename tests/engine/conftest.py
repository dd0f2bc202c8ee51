"""Leave these tests out, without a word, where the `engine` extra is not installed."""

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from tests.engine.judge import Judge

collect_ignore_glob = [] if find_spec("enzyme_ad") and find_spec("jax") else ["test_*.py"]


@pytest.fixture(scope="session")
def judge() -> Iterator[Judge]:
    """The engine, in a child process that all tests share."""
    with Judge() as engine:
        yield engine
