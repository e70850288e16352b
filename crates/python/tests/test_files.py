"""Arrays in files of NumPy, which the program reads and writes too."""

import os
import subprocess
from pathlib import Path

import nonius as nn
import numpy as np
import pytest

KINDS = [("dd", nn.dd), ("td", nn.td), ("qd", nn.qd)]


@pytest.mark.parametrize("name, kind", KINDS)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 3, 4)])
def test_limbs_in_files(tmp_path, name, kind, shape):
    a = np.sqrt(np.random.default_rng(1).random(shape).astype(kind)) / 3
    np.save(tmp_path / "a.npy", nn.limbs(a))
    limbs = np.load(tmp_path / "a.npy", allow_pickle=False)
    again = np.asarray(nn.from_limbs(limbs))
    assert again.dtype == kind and again.shape == shape and np.all(again == a)


def program():
    """The program of the same sources, where it has been built."""
    names = [os.environ.get("NONIUS_PROGRAM"), "target/debug/nonius", "../../target/debug/nonius"]
    found = [Path(name) for name in names if name and Path(name).is_file()]
    return found[0].resolve() if found else pytest.skip("the program nonius is not built")


@pytest.mark.parametrize("name, kind", KINDS)
def test_the_program_reads_and_writes_texts(tmp_path, name, kind):
    # Matrices of more bits than doubles have are texts in files.
    rng = np.random.default_rng(2)
    a = np.sqrt(rng.random((6, 6)).astype(kind)) + 3 * np.eye(6)
    b = np.sqrt(rng.random(6).astype(kind))
    np.save(tmp_path / "a.npy", np.array([[str(x) for x in row] for row in a]))
    np.save(tmp_path / "b.npy", np.array([[str(x)] for x in b]))
    files = ["a.npy", "b.npy", "--precision", name, "--output", "x.npy", "--device", "cpu"]
    subprocess.run([program(), "solve", *files], cwd=tmp_path, check=True, capture_output=True)
    texts = np.load(tmp_path / "x.npy", allow_pickle=False)
    x = np.array(texts.ravel().tolist(), dtype=kind)
    expected = nn.linalg.solve(a, b)
    # A text has all digits of a number but those of limbs far from the others.
    u = {"dd": 2.0**-104, "td": 2.0**-156, "qd": 2.0**-208}[name]
    assert x.shape == expected.shape and abs(x / expected - 1).max() < 1e4 * u
    # Texts are exact data.
    proved = nn.linalg.solve(np.load(tmp_path / "a.npy"), np.load(tmp_path / "b.npy"), digits=25)
    assert abs(proved.ravel() - x).max() < 1e-24


@pytest.mark.parametrize("name, kind", KINDS)
def test_the_program_reads_and_writes_limbs_of_tridiagonal_systems(tmp_path, name, kind):
    rng = np.random.default_rng(3)
    lower, upper, b = (np.sqrt(rng.random((2, 5)).astype(kind)) for _ in range(3))
    main = np.sqrt(rng.random((2, 5)).astype(kind)) + 4
    parts = {"lower": lower, "diagonal": main, "upper": upper, "right": b}
    command = [program(), "tridiag", "--precision", name, "--output", "x.npy"]
    for part, array in parts.items():
        np.save(tmp_path / f"{part}.npy", nn.limbs(array))
        command += [f"--{part}", f"{part}.npy"]
    subprocess.run([*command, "--device", "cpu"], cwd=tmp_path, check=True, capture_output=True)
    x = nn.from_limbs(np.load(tmp_path / "x.npy", allow_pickle=False))
    assert x.shape == b.shape and x.dtype == kind
    dense = np.zeros((2, 5, 5), dtype=kind)
    for i in range(5):
        dense[:, i, i] = main[:, i]
        if i > 0:
            dense[:, i, i - 1] = lower[:, i]
            dense[:, i - 1, i] = upper[:, i - 1]
    assert abs((dense @ x[..., None])[..., 0] - b).max() < 1e-29
