"""The toy data directory of these tests."""

from pathlib import Path

import pytest

from tests.data.features.samples import write_data


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with captions and objects."""
    return write_data(tmp_path / "data")
