"""Decks and their runs."""

import os
import signal
import threading
from pathlib import Path

import nonius as nn
import numpy as np
import pytest

DATA = Path(__file__).parents[3] / "data" / "fem" / "gmsh"

# The rod of the guide, whose numbers are those that the program prints.
ROD = {
    "title": "A rod of steel hits a rigid wall",
    "mesh": DATA / "bar_hex.msh",
    "units": {"length": "m", "mass": "kg", "time": "s"},
    "material": [{"name": "steel", "density": 7800.0, "young": 2.0e11, "poisson": 0.0}],
    "body": [{"material": "steel"}],
    "initial": [{"velocity": [-10.0, 0.0, 0.0]}],
    "wall": [{"group": "x0", "point": [0.0, 0.0, 0.0], "normal": [1.0, 0.0, 0.0]}],
    "time": {"period": 1.975e-4},
    "output": {"fields": 2, "history": 2.0e-6, "nodes": ["xL"]},
}
ENERGIES = ["kinetic", "internal", "plastic", "hourglass", "viscous", "external"]


def history_of(folder):
    """The file of a history, by names without units."""
    names, *rows = (folder / "history.csv").read_text().splitlines()
    columns = zip(*[map(float, row.split(",")) for row in rows])
    return {name.split(" (")[0]: np.array(column) for name, column in zip(names.split(","), columns)}


def assert_same(run, other):
    assert run.steps == other.steps and run.time == other.time and run.energies == other.energies
    for name in ["displacements", "velocities", "stresses", "plastic_strains", "temperatures"]:
        assert (getattr(run, name) == getattr(other, name)).all(), name
    assert run.history.keys() == other.history.keys()
    for name, column in run.history.items():
        assert (column == other.history[name]).all(), name


def test_numbers_are_those_of_the_program(tmp_path):
    run = nn.fem.run(ROD)
    assert run.finished and run.steps == 134 and run.time == 1.975e-4
    assert f"{run.energies['kinetic']:.4e}" == "-2.9916e-02"
    assert f"{run.energies['internal']:.4e}" == "1.5170e+02"
    assert f"{run.energies['hourglass']:.4e}" == "1.8700e-04"
    assert abs(run.energies["relative_balance"]) < 0.5e-5
    # The files are the program's, and say the same bits.
    written = nn.fem.run(ROD, output=tmp_path / "rod", view="front", field="displacement")
    assert_same(run, written)
    file = history_of(tmp_path / "rod")
    assert file.keys() == run.history.keys()
    assert all((file[name] == run.history[name]).all() for name in file)
    assert {"fields.pvd", "history.svg", "end.png", "checkpoint"} <= set(os.listdir(tmp_path / "rod"))
    assert written.info["fields"] == 3 and run.info["fields"] is None
    # The balance of the history is that of its energies.
    columns = {name: run.history[name] for name in ENERGIES}
    sums = columns["kinetic"] + columns["internal"] + columns["hourglass"] + columns["viscous"]
    lacks = sums - columns["external"] - columns["kinetic"][0]
    assert abs(lacks - run.history["balance"]).max() <= 1e-12 * 400
    # A wave is as fast as theory has it: the rod rests, and its stress is rho c v.
    stress = run.stresses[:, 0]
    assert abs(np.median(stress) / -np.sqrt(2e11 * 7800) / 10 - 1) < 0.05
    assert run.info["units"]["stress"] == "Pa" and run.info["device"] == "cpu"
    assert run.info["precision"] == "f64" and run.single_part == 0 and run.drift_of_forces < 1e-12
    assert run.displacements.shape == run.coordinates.shape == (len(run.node_labels), 3)
    assert run.stresses.shape == (len(run.element_labels), 6)


def test_decks_are_files_too(tmp_path):
    by_path = nn.fem.run(str(DATA / "bar.toml"))
    probes = [name for name in by_path.history if name.startswith("bar:")]
    assert by_path.finished and by_path.plastic_strains.max() > 0 and probes
    assert (by_path.temperatures == 20).all()
    nn.fem.generate(tmp_path / "bar.inp", "bar", [20, 2, 2], kind="C3D8")
    run = nn.fem.run(tmp_path / "bar.inp", precision="f32x2")
    assert run.finished and run.info["precision"] == "f32x2" and run.info["ignored"] == []
    model = nn.fem.read(tmp_path / "bar.inp")
    assert model.blocks[0].kind == "C3D8" and model.blocks[0].nodes.shape == (80, 8)
    assert len(model.node_labels) == 21 * 9 == len(model.coordinates) and model.period == run.time
    ends = model.node_sets["end"]
    assert (model.coordinates[ends, 0] == model.coordinates[:, 0].max()).all()
    assert model.units is None or model.units["length"]


def test_precisions(tmp_path):
    nn.fem.generate(tmp_path / "taylor.inp", "taylor", [2, 1, 6])
    runs = {
        name: nn.fem.run(tmp_path / "taylor.inp", precision=name)
        for name in ["f64", "mixed", "f32x2", "f32"]
    }
    truth = runs["f64"].displacements
    for name, digits in [("mixed", 5), ("f32x2", 9), ("f32", 3)]:
        off = abs(runs[name].displacements - truth).max() / abs(truth).max()
        assert off < 10.0**-digits, (name, off)
    parts = {name: run.single_part for name, run in runs.items()}
    assert parts["f64"] == 0 and 0.5 < parts["mixed"] < 1 and 0.5 < parts["f32"] <= 1
    often = nn.fem.run(tmp_path / "taylor.inp", precision="mixed", resync=0)
    assert often.drift_of_forces > 0
    with pytest.raises(ValueError, match="resync is for precision mixed, not for f64"):
        nn.fem.run(tmp_path / "taylor.inp", resync=5)


def test_progress_hears_and_stops(tmp_path):
    heard = []
    run = nn.fem.run(ROD, progress=lambda *told: heard.append(told))
    steps, times, energies = zip(*heard)
    assert run.finished and steps[-1] == run.steps and times[-1] == run.time
    assert list(steps) == sorted(steps) and all(set(ENERGIES) < set(e) for e in energies)
    assert energies[-1] == run.energies
    # Only False stops: not None, 0 or an empty list.
    for answer in [None, 0, [], True]:
        assert nn.fem.run(ROD, progress=lambda *_: answer).finished
    stopped = nn.fem.run(ROD, progress=lambda step, *_: step < 20)
    assert not stopped.finished and 20 <= stopped.steps < run.steps and stopped.history["step"][-1] <= stopped.steps
    folder = tmp_path / "stopped"
    stopped = nn.fem.run(ROD, output=folder, progress=lambda step, *_: step < 20)
    assert not stopped.finished and (folder / "checkpoint").exists()
    # What goes on has the bits of a run without interruption.
    resumed = nn.fem.run(ROD, output=folder, resume=True)
    assert_same(resumed, run)
    assert resumed.info["resumed_at_step"] == stopped.steps


def test_exceptions_and_signals_stop(tmp_path):
    class Own(Exception):
        pass

    def raises(step, *_):
        if step >= 10:
            raise Own("enough")

    with pytest.raises(Own, match="enough"):
        nn.fem.run(ROD, progress=raises)
    with pytest.raises(Own):
        nn.fem.run(ROD, output=tmp_path / "own", progress=raises)
    assert (tmp_path / "own" / "checkpoint").exists()
    with pytest.raises(TypeError):
        nn.fem.run(ROD, progress=lambda: None)
    with pytest.raises(TypeError, match="progress: expected a function, found int"):
        nn.fem.run(ROD, progress=5)
    endless = {**ROD, "time": {"period": 10.0}, "output": {"fields": 1}}
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        nn.fem.run(endless)


def test_errors_have_the_sentences_of_the_program(tmp_path):
    with pytest.raises(ValueError, match="missing.toml: "):
        nn.fem.run("missing.toml")
    with pytest.raises(ValueError, match="mesh.stl: "):
        nn.fem.read("mesh.stl")
    for wrong, part in [
        ({"mesh": "missing.msh"}, "missing.msh"),
        ({"mess": 1}, "the deck, at mess = 1: .*unknown field"),
        ({"material": [{"name": "steel", "density": "heavy"}]}, 'the deck, at density = "heavy": '),
        ({"body": [{"material": "butter"}]}, "butter"),
        ({"time": {"period": -1.0}}, "period"),
        ({"time": {"period": float("nan")}}, "period"),
        ({"title": object()}, "the deck: expected numbers, texts and lists of them"),
        ({1: 2}, "the deck: expected texts as keys, found 1"),
        ({"title": None}, "found None"),
        ({"units": {"length": "mile", "mass": "kg", "time": "s"}}, "mile"),
    ]:
        with pytest.raises(ValueError, match=part):
            nn.fem.run({**ROD, **wrong})
    without = {name: value for name, value in ROD.items() if name != "mesh"}
    with pytest.raises(ValueError, match="^the deck: missing field `mesh`"):
        nn.fem.run(without)
    with pytest.raises(ValueError, match=r"^the deck, at \[\[wall\]\]: missing field `normal`"):
        nn.fem.run({**ROD, "wall": [{"point": [0, 0, 0]}]})
    for options, part in [
        (dict(device=None), "device: expected a text, found None"),
        (dict(view=5), "view: expected a text such as 'front', found 5"),
        (dict(output=5), "int"),
    ]:
        with pytest.raises(TypeError, match=part):
            nn.fem.run(ROD, **options)
    with pytest.raises(ValueError, match="resync: expected a number of time steps"):
        nn.fem.run(ROD, precision="mixed", resync=-1)
    for options, part in [
        (dict(precision="dd"), "precision: expected one of f64, mixed, f32x2, f32"),
        (dict(balance=0), "balance: expected a positive number"),
        (dict(balance=float("nan")), "balance"),
        (dict(field="colour"), "field: expected one of mises"),
        (dict(view="above"), "view: expected one of isometric"),
        (dict(device="gpu"), "unknown device"),
        (dict(resume=True), "resume: expected output"),
        (dict(resume=True, output=tmp_path / "none"), "checkpoint"),
    ]:
        with pytest.raises(ValueError, match=part):
            nn.fem.run(ROD, **options)
    # An increment that is too long makes energies grow.
    with pytest.raises(nn.NoniusError, match="the deck: .*exceeds the stable one"):
        nn.fem.run({**ROD, "time": {"period": 1e-2, "increment": 1e-5}})
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        nn.fem.run(ROD, output=tmp_path / "file")
    for arguments, part in [
        (("box", [0, 1, 1]), "expected three numbers from 1 to 4096"),
        (("box", [1, 1]), "three"),
        (("ball", [1, 1, 1]), "shape: expected bar, cantilever, box or taylor"),
        (("box", [10**30, 1, 1]), "from 1 to 4096"),
    ]:
        with pytest.raises(ValueError, match=part):
            nn.fem.generate(tmp_path / "x.inp", *arguments)
    with pytest.raises(ValueError, match="kind: expected one of"):
        nn.fem.generate(tmp_path / "x.inp", "box", [1, 1, 1], kind="S4R")
    assert not (tmp_path / "x.inp").exists()


def test_texts_of_decks_are_quoted():
    title = 'A "rod"\\ of\nsteel \u00e9\U0001f600 \x7f'
    model = nn.fem.read({**ROD, "title": title, "mesh": str(DATA / "bar_hex.msh")})
    assert model.title == title and model.materials == ["steel"]
    wave = {"name": "up", "points": np.array([[0, 0], [1e-4, 1]])}
    force = {"group": "xL", "force": (np.float64(1e3), 0, np.int32(0)), "amplitude": "up"}
    run = nn.fem.run({**ROD, "amplitude": [wave], "force": [force], "initial": []})
    assert run.energies["external"] > 0
