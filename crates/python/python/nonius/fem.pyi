from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import Any, Literal, NamedTuple, SupportsInt, TypeAlias

from numpy import float64, int64
from numpy.typing import NDArray

__all__ = ["Block", "Model", "Run", "generate", "read", "run"]

_Path: TypeAlias = str | PathLike[str]
# A file, or the keys of a TOML file.
_Deck: TypeAlias = _Path | Mapping[str, Any]
_Doubles: TypeAlias = NDArray[float64]
_Integers: TypeAlias = NDArray[int64]
_Energies: TypeAlias = dict[str, float]

class Block(NamedTuple):
    kind: str
    nodes: _Integers

class Model(NamedTuple):
    title: str
    coordinates: _Doubles
    node_labels: _Integers
    element_labels: _Integers
    blocks: list[Block]
    node_sets: dict[str, _Integers]
    materials: list[str]
    period: float
    units: dict[str, str | None] | None
    ignored: list[str]

class Run(NamedTuple):
    steps: int
    time: float
    finished: bool
    history: dict[str, _Doubles]
    energies: _Energies
    coordinates: _Doubles
    displacements: _Doubles
    velocities: _Doubles
    stresses: _Doubles
    plastic_strains: _Doubles
    temperatures: _Doubles
    node_labels: _Integers
    element_labels: _Integers
    single_part: float
    drift_of_forces: float
    info: dict[str, Any]

def generate(
    path: _Path,
    shape: Literal["bar", "cantilever", "box", "taylor"],
    elements: Iterable[SupportsInt],
    *,
    kind: Literal["C3D8R", "C3D8", "C3D4"] = "C3D8R",
) -> None: ...
def read(deck: _Deck) -> Model: ...
def run(
    deck: _Deck,
    *,
    progress: Callable[[int, float, _Energies], object] | None = None,
    output: _Path | None = None,
    resume: bool = False,
    precision: Literal["f64", "mixed", "f32x2", "f32"] = "f64",
    resync: int | None = None,
    balance: float = 0.05,
    device: str = "auto",
    field: Literal["mises", "plastic-strain", "temperature", "displacement", "velocity"] = "mises",
    view: str | None = None,
    single_fields: bool = False,
) -> Run: ...
