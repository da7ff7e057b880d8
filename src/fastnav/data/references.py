"""What an agent may not know: the annotated path, and the goal at its end.

Only training, evaluation and studies import this module; the import contract holds agents and search off it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Reference:
    """The path that people walked before they described it."""

    path_id: int
    scan: str
    path: tuple[str, ...]  # viewpoint ids, start first

    @property
    def goal(self) -> str:
        """The viewpoint to stop at."""
        return self.path[-1]
