"""Sparse systems: see `nonius.sparse.linalg`."""

from . import linalg

__all__ = ["linalg"]
