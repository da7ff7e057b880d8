"""Bytes on disk become checked, frozen records. Knows nothing of graphs, agents or search."""
