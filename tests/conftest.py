"""What all rooms share: a cache folder of their own for every test, and the real data where it is at hand."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The suite runs a process a core, where threads of torch would only wait for each other. Set before torch is
# imported, which no test module does earlier than this.
os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile(
    "fastnav", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fastnav")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the cache of whoever runs it."""
    folder = tmp_path / "cache-of-this-test"
    monkeypatch.setenv("FASTNAV_CACHE", str(folder))
    return folder


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The data directory with the real R2R files; tests that need it are skipped where there is none."""
    folder = Path(os.environ.get("FASTNAV_TEST_DATA", "nowhere"))
    if not (folder / "connectivity" / "scans.txt").exists():
        pytest.skip("the real data is not at hand; FASTNAV_TEST_DATA names its folder")
    return folder.resolve()
