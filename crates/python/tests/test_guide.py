"""The Python of the guide and of the READMEs runs, and prints what the pages show.

A block of the language ``python`` runs with the names of the blocks above it on its page. A block
of the language ``text`` right behind it has its output; a line ``...`` there stands for any lines.
A block that begins with ``>>>`` is a doctest.
"""

import contextlib
import doctest
import io
import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "README.md", ROOT / "crates/python/README.md", *sorted(ROOT.glob("docs/guide/src/*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

# What commands of a page write before its Python reads it.
FILES = {
    "formats.md": {
        "x.npy": np.array(["0.00083333333333333333333333333333325", "0.0016", "0.0025"]),
        "heat.npy": np.array([[[1.0, 2.0**-60]], [[3.0, 0.0]]]),
    }
}


def blocks(text):
    """Python blocks: the number of the first line, the code, and the output shown or ``None``."""
    found = []
    end = None
    for match in FENCE.finditer(text):
        language, body = match.groups()
        if language == "python":
            found.append([text[: match.start(2)].count("\n"), body, None])
            end = match.end()
        elif language == "text" and end is not None and not text[end : match.start()].strip():
            found[-1][2] = None if body.startswith("$ ") else body
            end = None
        else:
            end = None
    return found


def run(page, text):
    """Runs the blocks of a page in order; a failure names the page and the line."""
    names = {"__name__": "__main__"}
    for line, code, shown in blocks(text):
        if code.startswith(">>>"):
            test = doctest.DocTestParser().get_doctest(code, names, page, page, line)
            told = io.StringIO()
            runner = doctest.DocTestRunner(verbose=False, optionflags=FLAGS)
            runner.run(test, out=told.write, clear_globs=False)
            assert runner.failures == 0, told.getvalue()
            names.update(test.globs)
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * line + code, page, "exec"), names)
        same = doctest.OutputChecker().check_output(shown or "", printed.getvalue(), FLAGS)
        assert same, f"{page}:{line}: the page shows\n{shown}\nthe block prints\n{printed.getvalue()}"


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page.read_text("utf-8"))], ids=lambda page: page.name
)
def test_pages_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").symlink_to(ROOT / "data")
    for name, array in FILES.get(page.name, {}).items():
        np.save(name, array)
    run(str(page.relative_to(ROOT)), page.read_text("utf-8"))


def test_pages_are_found():
    with_code = {page.name for page in PAGES if blocks(page.read_text("utf-8"))}
    assert {"README.md", "python.md"} <= with_code


def test_wrong_pages_are_told():
    run("good", "```python\nx = 1\nprint(x)\n```\n\n```text\n1\n```\n```python\n>>> x + 1\n2\n```\n")
    for wrong in [
        "```python\nprint(1)\n```\n```text\n2\n```\n",
        "```python\nprint(1)\n```\nprose\n```text\n1\n```\n",
        "```python\n>>> 1 + 1\n3\n```\n",
    ]:
        with pytest.raises(AssertionError):
            run("wrong", wrong)
    with pytest.raises(ZeroDivisionError):
        run("wrong", "```python\n1 / 0\n```\n")
