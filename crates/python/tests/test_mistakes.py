"""What users do by mistake: each gets a sentence, and no answer."""

from fractions import Fraction

import nonius as nn
import numpy as np
import pytest
import scipy.sparse as sp

pandas = pytest.importorskip("pandas")

LINALG = {
    "solve": lambda a: nn.linalg.solve(a, [1, 1]),
    "digits": lambda a: nn.linalg.solve(a, [1, 1], digits=20),
    "eigh": nn.linalg.eigh,
    "svd": nn.linalg.svd,
    "inv": nn.linalg.inv,
    "det": nn.linalg.det,
    "norm": nn.linalg.norm,
}
MATRICES = [
    ([["a", "b"], ["c", "d"]], ValueError, "number"),
    (np.eye(2) * 1j, TypeError, "a: expected real numbers, found complex128"),
    ([[1j, 0], [0, 1]], TypeError, "a: expected real numbers, found complex128"),
    ([[1, np.nan], [0, 1]], ValueError, "operand a is infinite or not a number in row 1, column 2"),
    ([[1, 2], [3]], ValueError, "a: expected rows of the same length"),
    ([np.ones(2), np.ones(3)], ValueError, "a: expected rows of the same length"),
    ([], ValueError, "dimensions, found 1"),
    (3, ValueError, "dimensions, found 0"),
    (None, TypeError, "a: expected an array, found NoneType"),
    ({}, TypeError, "a: expected an array, found dict"),
    ({1, 2}, TypeError, "a: expected an array, found set"),
    ("ab", TypeError, "a: expected an array, found str"),
    (sp.eye_array(2).tocsr(), TypeError, r"a: expected an array, found csr_array: take its toarray\(\)"),
    (np.ma.masked_array([[2.0, 1], [1, 3]], [[0, 1], [0, 0]]), ValueError, "a: expected no masked entries"),
    (np.array([[None, 1], [1, 2]], dtype=object), TypeError, "expected a real number, found NoneType"),
    (np.array([["2020-01-01"]], dtype="M8[D]"), TypeError, "a: expected real numbers, found datetime64"),
    (np.array([[b"1", b"2"]]), TypeError, "a: expected real numbers, found |S1"),
    (np.zeros((2, 2), dtype=[("a", float)]), TypeError, "a: expected real numbers"),
    (pandas.DataFrame([["a", 1], [1, 3]]), ValueError, "number"),
    (pandas.DataFrame([[None, 1], [1, 3]]), ValueError, "operand a is infinite or not a number in row 1"),
]


@pytest.mark.parametrize("task", LINALG)
@pytest.mark.parametrize("matrix, error, match", MATRICES)
def test_matrices(task, matrix, error, match):
    if task == "norm" and ("dimensions" in match or "operand" in match):
        pytest.skip("norms of vectors, numbers, infinities and NaN")
    with pytest.raises(error, match=match):
        LINALG[task](matrix)
    # Iterators are read by nobody.
    with pytest.raises(TypeError, match="a: expected an array, found generator"):
        LINALG[task](x for x in range(3))


@pytest.mark.parametrize("task", ["solve", "eigh", "inv", "det"])
def test_matrices_that_are_not_square(task):
    with pytest.raises(ValueError, match="the matrix is 2 × 3 where a square one is needed"):
        LINALG[task](np.ones((2, 3)))


def test_unusual_arrays_are_taken():
    a = np.array([[2.0, 1], [1, 3]])
    truth = nn.linalg.solve(a.astype(nn.dd), [1, 1])
    only = a.copy()
    only.flags.writeable = False
    wide = np.ones((4, 4))
    wide[::2, ::2] = a
    for given in [
        a.astype(np.float16),
        a.astype(np.float32),
        np.asfortranarray(a),
        only,
        wide[::2, ::2],
        np.ma.masked_array(a),
        pandas.DataFrame(a),
        [[Fraction(2), "1"], [1, 3]],
    ]:
        assert (nn.linalg.solve(given, [1, 1], precision="dd") == truth).all()
    large = nn.linalg.solve([[2**70 + 1, 0], [0, 1]], [2**70 + 1, 1], digits=25)
    assert (large == 1).all()
    assert (nn.linalg.solve(np.array([[True, False], [False, True]]), [1, 2]) == [1, 2]).all()
    assert nn.linalg.inv(np.zeros((0, 0))).shape == (0, 0)
    # Beyond the range of doubles, which all sums of limbs have.
    with pytest.raises(ValueError, match="infinite"):
        nn.linalg.inv([[2**1100, 1], [1, 3]])
    assert nn.linalg.inv([[2**1100, 0], [0, 1]], precision="mp100")[1, 1] == 1


def test_right_hand_sides_and_stacks():
    a = np.eye(3) + 1
    for b, error, match in [
        (np.ones(2), ValueError, "operand b is 2 × 1 where 3 × 1 is needed"),
        ([1, 2, "x"], ValueError, "is no number"),
        (None, TypeError, "b: expected an array, found NoneType"),
        ([[1, 2], [3], [4]], ValueError, "b: expected rows of the same length"),
        (np.ma.masked_array([1.0, 2, 3], [0, 1, 0]), ValueError, "b: expected no masked entries"),
    ]:
        with pytest.raises(error, match=match):
            nn.linalg.solve(a, b)
    with pytest.raises(ValueError, match=r"stacks that broadcast, found the shapes \(2, 3, 3\) and \(4, 3, 1\)"):
        nn.linalg.solve(np.ones((2, 3, 3)) + a, np.ones((4, 3, 1)))
    with pytest.raises(TypeError, match="lu_and_piv: expected a tuple"):
        nn.linalg.lu_solve(a, [1, 2, 3])


TASKS = {
    "solve": lambda **o: nn.linalg.solve([[2, 1], [1, 2]], [1, 1], **o),
    "eigh": lambda **o: nn.linalg.eigh([[2, 1], [1, 2]], **o),
    "cg": lambda **o: nn.sparse.linalg.cg([[2, 1], [1, 2]], [1, 1], **o),
    "tridiagonal": lambda **o: nn.solve_tridiagonal([0, 1], [2, 2], [1, 0], [1, 1], **o),
    "sdp": lambda **o: nn.sdp.solve(nn.sdp.Problem([1], [1], [(0, 1, 1, 1, 1), (1, 1, 1, 1, 1)]), **o),
    "option": lambda **o: nn.option.price(
        type="call", spot=100, strike=100, rate=0, volatility=0.2, maturity=1, tolerance=1e-3, **o
    ),
}


@pytest.mark.parametrize("task", TASKS)
def test_precisions_and_devices(task):
    for precision in ["DD", "dd ", "mp", "mp10", "mp99999", "mp1e3", "float64"]:
        with pytest.raises(ValueError, match=f"unknown precision `{precision}`: expected"):
            TASKS[task](precision=precision)
    for precision in [3, np.float64, nn.dd, nn.mp(100), b"dd"]:
        with pytest.raises(TypeError, match="precision: expected a text such as 'dd', found"):
            TASKS[task](precision=precision)
    for device in ["gpu", "CPU", "cuda:x"]:
        with pytest.raises(ValueError, match=f"unknown device `{device}`: expected auto, cpu"):
            TASKS[task](device=device)
    with pytest.raises(TypeError, match="text|str"):
        TASKS[task](device=0)


def test_digits():
    for digits in [0, -1, 1000, 10**30]:
        with pytest.raises(ValueError, match=f"digits: expected at least 1 and at most 999, found {digits}"):
            TASKS["solve"](digits=digits)
    for digits in [2.5, "20", [20], float("nan")]:
        with pytest.raises(TypeError, match="digits: expected an integer, found"):
            TASKS["solve"](digits=digits)


def test_iterations():
    for a, error, match in [
        (np.ones((2, 3)), ValueError, "A: expected a square matrix"),
        (None, TypeError, "A: expected an array, found NoneType"),
        ([["a", "b"], ["c", "d"]], ValueError, "is no number"),
        (np.zeros((2, 2), dtype=[("a", float)]), TypeError, "A: expected real numbers"),
        ([[1, 2], [3]], ValueError, "A: expected rows of the same length"),
        (np.ma.masked_array(np.eye(2), [[1, 0], [0, 0]]), ValueError, "A: expected no masked entries"),
    ]:
        with pytest.raises(error, match=match):
            nn.sparse.linalg.cg(a, [1, 1])
    for options, error, match in [
        ({"rtol": "a"}, TypeError, "rtol: expected a number, found 'a'"),
        ({"maxiter": 1.5}, TypeError, "maxiter: expected an integer, found 1.5"),
        ({"x0": [1, "a"]}, ValueError, "is no number"),
        ({"storage": 3}, TypeError, "storage: expected a text"),
    ]:
        with pytest.raises(error, match=match):
            TASKS["cg"](**options)


def test_tridiagonal_systems():
    for b, error, match in [
        (["a", "b"], ValueError, "is no number"),
        (np.array([b"1", b"2"]), TypeError, "b: expected real numbers"),
        (np.ma.masked_array([1.0, 2], [0, 1]), ValueError, "b: expected no masked entries"),
        ([1, 2, 3], ValueError, "b: expected a last dimension of 2, as d has, found 3"),
        ({}, TypeError, "b: expected an array, found dict"),
    ]:
        with pytest.raises(error, match=match):
            nn.solve_tridiagonal([0, 1], [2, 2], [1, 0], b)


def test_options():
    given = dict(type="call", strike=100, rate=0, volatility=0.2, maturity=1, tolerance=1e-3)
    for spot in [-1, "a", 1j, np.nan, np.inf, True, {}]:
        found = nn.option.price(spot=spot, **given)
        assert np.isnan(found.price) and found.error.startswith("row 0, column spot: ")
    with pytest.raises(ValueError, match="column spot: expected rows of the same length"):
        nn.option.price(spot=[[1], [2, 3]], **given)
    with pytest.raises(TypeError, match="tolerance: expected a number, found 'a'"):
        nn.option.price(spot=1, **given | {"tolerance": "a"})


def test_semidefinite_programs():
    right = [(0, 1, 1, 1, 1), (1, 1, 1, 1, 1)]
    for arguments, error, match in [
        ((1, [1], right), TypeError, "c: expected a list, found int"),
        (("ab", [1], right), TypeError, "c: expected a list, found str"),
        (([1], 1, right), TypeError, "blocks: expected a list, found int"),
        (([1], [1], None), TypeError, "entries: expected a list, found NoneType"),
        (([1], [1], {}), TypeError, "entries: expected a list, found dict"),
        (([1], [1], [3]), ValueError, r"entries\[0\]: expected matrix, block, row, column and value"),
        (([np.ones(2)], [1], right), TypeError, r"c\[0\]: expected a real number, found ndarray"),
        (([1], [1.5], right), TypeError, r"blocks\[0\]: expected an integer, found float"),
        (([1], [1], np.ones((2, 2, 5))), ValueError, r"entries\[0\]: expected matrix"),
    ]:
        with pytest.raises(error, match=match):
            nn.sdp.Problem(*arguments)
    for options, error, match in [
        ({"gap": "x"}, TypeError, "gap: expected a number, found 'x'"),
        ({"max_iterations": -3}, ValueError, "max_iterations: expected at least 0, found -3"),
        ({"max_iterations": 1.5}, TypeError, "max_iterations: expected an integer, found 1.5"),
    ]:
        with pytest.raises(error, match=match):
            TASKS["sdp"](**options)
