"""Solids in motion, by explicit finite elements.

A deck is an input file of Abaqus (``.inp``), a TOML file that names a mesh of Gmsh, or a dictionary
with the keys of such a TOML file. The program's guide, "Solids in motion", has the keys. All numbers
are in the units of the deck.
"""

import json
import os
import re
from typing import Any, NamedTuple

import numpy as np

from . import _nonius

__all__ = ["Block", "Model", "Run", "generate", "read", "run"]


class Block(NamedTuple):
    """Elements of one kind and one material."""

    kind: str
    """Their kind, as Abaqus names it: ``"C3D8R"``."""
    nodes: np.ndarray
    """Rows of nodes for each element, as places in ``coordinates``; shape (elements, k)."""


class Model(NamedTuple):
    """What a deck says."""

    title: str
    coordinates: np.ndarray
    """Of nodes, shape (nodes, 3)."""
    node_labels: np.ndarray
    """The numbers that the deck gives its nodes."""
    element_labels: np.ndarray
    """The numbers that the deck gives its elements, block by block."""
    blocks: list
    node_sets: dict
    """Places of nodes by name."""
    materials: list
    """Names of materials."""
    period: float
    """The time at the end."""
    units: Any
    """Units by quantity; ``None`` where the deck states none."""
    ignored: list
    """What was read past, because results do not depend on it."""


class Run(NamedTuple):
    """What a run came to. Fields of elements are means of their points, in the order of
    ``element_labels``."""

    steps: int
    time: float
    finished: bool
    """Whether the run came to its end; ``False`` where ``progress`` stopped it."""
    history: dict
    """Columns of times, steps, energies and probes, as ``history.csv`` has them, without units."""
    energies: dict
    """Energies now; ``relative_balance`` is what they lack in their sum, as a part of the largest."""
    coordinates: np.ndarray
    """Of nodes at the beginning, shape (nodes, 3)."""
    displacements: np.ndarray
    """Of nodes, shape (nodes, 3)."""
    velocities: np.ndarray
    """Of nodes, shape (nodes, 3)."""
    stresses: np.ndarray
    """Of elements, shape (elements, 6): 11, 22, 33, 12, 23, 13."""
    plastic_strains: np.ndarray
    """Of elements."""
    temperatures: np.ndarray
    """Of elements."""
    node_labels: np.ndarray
    element_labels: np.ndarray
    single_part: float
    """The part of a step's operations that are in single precision."""
    drift_of_forces: float
    """By what part forces that are sums of increments differ from those in full."""
    info: dict
    """Precision, device and why it was taken, units, warnings, what was ignored, seconds."""


def generate(path, shape, elements, *, kind="C3D8R"):
    """Writes a deck of Abaqus of a given size.

    Parameters
    ----------
    path : path
        The deck, which appears complete or not at all.
    shape : {"bar", "cantilever", "box", "taylor"}
        A bar with a wave, a cantilever that swings, a box under pressure, or a cylinder that hits a
        wall.
    elements : (int, int, int)
        Elements along each axis; of a cylinder across its core, across the ring around it, and along.
    kind : {"C3D8R", "C3D8", "C3D4"}

    Examples
    --------
    >>> import os, tempfile
    >>> import nonius as nn
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     deck = os.path.join(folder, "box.inp")
    ...     nn.fem.generate(deck, "box", [2, 2, 2], kind="C3D8")
    ...     model = nn.fem.read(deck)
    >>> model.coordinates.shape, model.blocks[0].kind, model.blocks[0].nodes.shape
    ((27, 3), 'C3D8', (8, 8))
    """
    elements = [int(number) for number in elements]
    if len(elements) != 3 or not all(1 <= number <= 4096 for number in elements):
        raise ValueError(f"elements: expected three numbers from 1 to 4096, found {elements}")
    _nonius.fem_generate(os.fsdecode(path), shape, elements, kind)


def read(deck):
    """What a deck says.

    Parameters
    ----------
    deck : path or mapping

    Returns
    -------
    Model

    Raises
    ------
    ValueError
        A deck that cannot be read, with file and line.

    Examples
    --------
    >>> import nonius as nn
    >>> nn.fem.read("mesh.stl")
    Traceback (most recent call last):
    ...
    ValueError: mesh.stl: the file's name ends neither in .inp nor in .toml
    """
    found = _with_arrays(_nonius.fem_read(_deck(deck)))
    return Model(**{name: found[name] for name in Model._fields})


def run(
    deck,
    *,
    progress=None,
    output=None,
    resume=False,
    precision="f64",
    resync=None,
    balance=0.05,
    device="auto",
    field="mises",
    view=None,
    single_fields=False,
):
    """Computes what a deck describes.

    Parameters
    ----------
    deck : path or mapping
        A file, or the keys of a TOML file; its ``mesh`` is then relative to the working folder.
    progress : callable, optional
        ``progress(step, time, energies)`` is called several times a second. Where it returns
        ``False``, the run stops. An exception stops the run, and reaches the caller.
    output : path, optional
        The folder for the files that the program writes: fields for ParaView, history, picture and
        checkpoint.
    resume : bool
        Goes on from the checkpoint in ``output``.
    precision : {"f64", "mixed", "f32x2", "f32"}
    resync : int, optional
        With ``"mixed"``, computes forces in full every so many time steps; 0 is never.
    balance : float
        Stops where the sum of all energies has changed by this part of the largest one.
    device : {"auto", "cpu", "cuda", "cuda:1", ..., "cuda:all"}
    field : {"mises", "plastic-strain", "temperature", "displacement", "velocity"}
        What the colours of the picture show.
    view : str, optional
        From where the picture shows the mesh: ``"front"``, ``"isometric"``, ``"-1,0.5,-1"``, ...
    single_fields : bool
        Rounds fields in files to single precision.

    Returns
    -------
    Run

    Raises
    ------
    ValueError
        A deck or an argument that is wrong.
    NoniusError
        A run that broke down: an element that turns inside out, energies that do not balance.
    OSError
        Files that cannot be written.

    Notes
    -----
    Ctrl-C stops the run. A run with ``output`` that stops leaves a checkpoint, from which ``resume``
    goes on with the bits of a run without interruption.

    Examples
    --------
    A pulse runs along a bar:

    >>> import os, tempfile
    >>> import nonius as nn
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     deck = os.path.join(folder, "bar.inp")
    ...     nn.fem.generate(deck, "bar", [20, 1, 1])
    ...     run = nn.fem.run(deck)
    >>> run.finished, run.displacements.shape
    (True, (84, 3))
    >>> abs(run.energies["relative_balance"]) < 0.01
    True
    """
    options = {
        "precision": precision,
        "device": device,
        "resync": resync,
        "balance": float(balance),
        "output": None if output is None else os.fsdecode(output),
        "resume": bool(resume),
        "field": field,
        "view": view,
        "single_fields": bool(single_fields),
    }
    for name in ["precision", "device", "field"]:
        if not isinstance(options[name], str):
            raise TypeError(f"{name}: expected a text, found {options[name]!r}")
    if view is not None and not isinstance(view, str):
        raise TypeError(f"view: expected a text such as 'front', found {view!r}")
    if resync is not None and not (isinstance(resync, int) and 0 <= resync < 2**63):
        raise ValueError(f"resync: expected a number of time steps, 0 or more, found {resync!r}")
    if progress is not None and not callable(progress):
        raise TypeError(f"progress: expected a function, found {type(progress).__name__}")
    found = _with_arrays(_nonius.fem_run(_deck(deck), options, progress))
    return Run(**{name: found[name] for name in Run._fields})


def _deck(deck):
    """A deck as the compiled module takes it."""
    if hasattr(deck, "keys"):
        return {"path": "deck.toml", "text": _toml(deck)}
    return {"path": os.fsdecode(deck), "text": None}


def _with_arrays(found):
    """What the compiled module found, with arrays of integers in place of their bytes."""
    for name in ["node_labels", "element_labels"]:
        found[name] = _integers(found[name])
    found["blocks"] = [
        Block(kind, _integers(nodes).reshape(-1, count)) for kind, nodes, count in found["blocks"]
    ]
    found["node_sets"] = {name: _integers(nodes) for name, nodes in found["node_sets"].items()}
    return found


def _integers(data):
    return np.frombuffer(data, dtype=np.int64).copy()


def _toml(deck):
    """A dictionary as TOML, a line for each key, so that a message can show the line."""
    tables, lines = [], []
    for name, value in deck.items():
        if hasattr(value, "keys"):
            tables.append((f"[{_key(name)}]", value))
        elif isinstance(value, list | tuple) and value and all(hasattr(v, "keys") for v in value):
            tables += [(f"[[{_key(name)}]]", table) for table in value]
        else:
            lines.append(f"{_key(name)} = {_value(value)}")
    for head, table in tables:
        lines.append(head)
        lines += [f"{_key(name)} = {_value(value)}" for name, value in table.items()]
    return "\n".join(lines) + "\n"


def _key(name):
    if not isinstance(name, str):
        raise ValueError(f"the deck: expected texts as keys, found {name!r}")
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else _text(name)


def _text(text):
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value):
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(part) for part in value) + "]"
    if hasattr(value, "keys"):
        return "{" + ", ".join(f"{_key(name)} = {_value(part)}" for name, part in value.items()) + "}"
    raise ValueError(f"the deck: expected numbers, texts and lists of them, found {value!r}")
