"""The notebooks run, and print what they show.

Cells with the tag ``machine`` print what depends on the machine, such as seconds. Their output is
not compared, and neither are pictures.
"""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))


def texts(cell):
    """What a cell prints and shows as text."""
    return "".join(
        output.get("text", "") or ("" if "image/png" in output.data else output.data["text/plain"])
        for output in cell.get("outputs", [])
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path, tmp_path):
    shown = nbformat.read(path, as_version=4)
    again = nbformat.read(path, as_version=4)
    NotebookClient(
        again, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    for old, new in zip(shown.cells, again.cells):
        if "machine" not in old.metadata.get("tags", []):
            assert texts(new) == texts(old), old.source


def test_notebooks_are_found():
    assert len(NOTEBOOKS) >= 2
