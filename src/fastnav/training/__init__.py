"""Weights from examples. With `studies`, the only room that joins agents with goals."""
