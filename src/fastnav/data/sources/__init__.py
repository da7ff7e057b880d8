"""Where each public file comes from: fetch it, import it, check it."""

from fastnav.data.sources.checking import CheckReport, GroupState, check, published_state
from fastnav.data.sources.fetching import FetchReport, fetch
from fastnav.data.sources.importing import EditedCopy, ImportReport, import_from
from fastnav.data.sources.manifest import Manifest, load_manifest, published
from fastnav.data.sources.options import FetchOptions, Progress
from fastnav.data.sources.procedural import is_procedural
from fastnav.data.sources.state import FileState, State

__all__ = [
    "CheckReport",
    "EditedCopy",
    "FetchOptions",
    "FetchReport",
    "FileState",
    "GroupState",
    "ImportReport",
    "Manifest",
    "Progress",
    "State",
    "check",
    "fetch",
    "import_from",
    "is_procedural",
    "load_manifest",
    "published",
    "published_state",
]
