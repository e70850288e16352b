"""Seconds of Nonius and of other packages of PyPI on the same tasks, as CSV on standard output.

    pip install target/wheels/pynonius-*.whl scipy mpmath gmpy2 python-flint xprec numpy-quaddtype
    python crates/python/bench/peers.py > peers.csv

Every library runs on one thread. A figure is the best of at least three runs in at least half a second,
or the only one where a run takes more than four seconds. Seconds are those of the processor, which
other programs of the machine do not lengthen. Operands are the same random numbers, with all bits that a type has.
Slow libraries get smaller tasks, and the column ``n`` says so. A task that a library has no function
for is left out; loops of one's own in Python do not count, but for elementwise functions.
"""

import os

for _name in ["RAYON", "OPENBLAS", "OMP", "MKL"]:
    os.environ[f"{_name}_NUM_THREADS"] = "1"

import sys
import time
from importlib.metadata import version

import flint
import gmpy2
import mpmath
import nonius as nn
import numpy as np
import numpy_quaddtype
import scipy.linalg
import xprec
import xprec.linalg

RNG = np.random.default_rng(1)
BITS = {31: 104, 62: 208}


def seconds(task):
    runs = []
    while len(runs) < 3 or sum(runs) < 0.5:
        start = time.process_time()
        task()
        runs.append(time.process_time() - start)
        if runs[-1] > 4:
            break
    return min(runs)


def measure(package, digits, task, n, call):
    try:
        taken = seconds(call)
    except Exception as error:
        print(f"{package} {digits} {task}: {type(error).__name__}: {error}", file=sys.stderr)
        return
    print(f"{package},{version(package)},{digits},{task},{n},{taken:.4e}", flush=True)


def numbers(shape, kind):
    """Random numbers in (0, 1) plus ever smaller ones, so that all limbs are in use."""
    parts = [RNG.random(shape).astype(kind) * 2.0 ** (-52 * k) for k in range(4)]
    return parts[0] + parts[1] + parts[2] + parts[3]


def elements(package, digits, kind, n=10**6):
    """Arrays of NumPy."""
    x, y = numbers(n, kind), numbers(n, kind)
    for name in ["add", "multiply", "exp"]:
        function = getattr(np, name)
        out = np.empty_like(x)
        arguments = (x,) if name == "exp" else (x, y)
        measure(package, digits, name, n, lambda: function(*arguments, out=out))


def lists(package, digits, x, y, exp):
    """Lists of numbers of Python, by comprehensions."""
    n = len(x)
    measure(package, digits, "add", n, lambda: [a + b for a, b in zip(x, y)])
    measure(package, digits, "multiply", n, lambda: [a * b for a, b in zip(x, y)])
    measure(package, digits, "exp", n, lambda: [exp(a) for a in x])


def symmetric(n, kind):
    a = numbers((n, n), kind)
    return a + a.T


def texts(array):
    """Numbers with all bits of ``qd``, as texts for other libraries."""
    return [[f"{entry:.70f}" for entry in row] for row in array]


def by_nonius(digits, kind):
    elements("pynonius", digits, kind)
    a, b = numbers((500, 500), kind), numbers((500, 500), kind)
    measure("pynonius", digits, "matmul", 500, lambda: a @ b)
    a, b = numbers((200, 200), kind), numbers(200, kind)
    measure("pynonius", digits, "solve", 200, lambda: nn.linalg.solve(a, b))
    asked = {31: 30, 62: 62}[digits]
    measure("pynonius", digits, f"solve-{asked}-proved", 200, lambda: nn.linalg.solve(a, b, digits=asked))
    measure("pynonius", digits, "det", 200, lambda: nn.linalg.det(a))
    s = symmetric(100, kind)
    measure("pynonius", digits, "eigvalsh", 100, lambda: nn.linalg.eigvalsh(s))


def by_scipy():
    elements("scipy", 15, np.float64)
    a, b = numbers((500, 500), float), numbers((500, 500), float)
    measure("scipy", 15, "matmul", 500, lambda: a @ b)
    a, b = numbers((200, 200), float), numbers(200, float)
    measure("scipy", 15, "solve", 200, lambda: scipy.linalg.solve(a, b))
    measure("scipy", 15, "det", 200, lambda: scipy.linalg.det(a))
    s = symmetric(100, float)
    measure("scipy", 15, "eigvalsh", 100, lambda: scipy.linalg.eigvalsh(s))


def by_quaddtype():
    kind = numpy_quaddtype.QuadPrecDType()
    elements("numpy-quaddtype", 31, kind)
    a, b = numbers((500, 500), kind), numbers((500, 500), kind)
    measure("numpy-quaddtype", 31, "matmul", 500, lambda: a @ b)


def by_xprec():
    elements("xprec", 31, xprec.ddouble)
    a, b = numbers((500, 500), xprec.ddouble), numbers((500, 500), xprec.ddouble)
    measure("xprec", 31, "matmul", 500, lambda: a @ b)


def by_flint(digits):
    flint.ctx.prec = BITS[digits]
    x, y = ([flint.arb(t) for t in texts([numbers(10**5, nn.qd)])[0]] for _ in range(2))
    lists("python-flint", digits, x, y, flint.arb.exp)
    balls = lambda array: flint.arb_mat([[flint.arb(t) for t in r] for r in texts(array)])
    a, b = balls(numbers((500, 500), nn.qd)), balls(numbers((500, 500), nn.qd))
    measure("python-flint", digits, "matmul", 500, lambda: a * b)
    c, d = balls(numbers((200, 200), nn.qd)), balls(numbers((200, 1), nn.qd))
    measure("python-flint", digits, "solve", 200, lambda: c.solve(d))
    # The default preconditions, and gives smaller balls.
    measure("python-flint", digits, "solve-lu", 200, lambda: c.solve(d, algorithm="lu"))
    measure("python-flint", digits, "det", 200, lambda: c.det())
    e = flint.acb_mat([[flint.acb(t) for t in r] for r in texts(symmetric(100, nn.qd))])
    measure("python-flint", digits, "eig", 100, lambda: e.eig(algorithm="approx"))


def by_gmpy2(digits):
    gmpy2.get_context().precision = BITS[digits]
    x, y = ([gmpy2.mpfr(t) for t in texts([numbers(10**5, nn.qd)])[0]] for _ in range(2))
    lists("gmpy2", digits, x, y, gmpy2.exp)
    matrix = lambda array: np.array([[gmpy2.mpfr(t) for t in r] for r in texts(array)])
    a, b = matrix(numbers((200, 200), nn.qd)), matrix(numbers((200, 200), nn.qd))
    measure("gmpy2", digits, "matmul", 200, lambda: a @ b)


def by_mpmath(digits):
    mpmath.mp.prec = BITS[digits]
    x, y = ([mpmath.mpf(t) for t in texts([numbers(10**5, nn.qd)])[0]] for _ in range(2))
    lists("mpmath", digits, x, y, mpmath.exp)
    matrix = lambda array: mpmath.matrix([[mpmath.mpf(t) for t in r] for r in texts(array)])
    a, b = matrix(numbers((100, 100), nn.qd)), matrix(numbers((100, 100), nn.qd))
    measure("mpmath", digits, "matmul", 100, lambda: a * b)
    right = matrix(numbers((100, 1), nn.qd))
    measure("mpmath", digits, "solve", 100, lambda: mpmath.lu_solve(a, right))
    measure("mpmath", digits, "det", 100, lambda: mpmath.det(a))
    s = matrix(symmetric(50, nn.qd))
    measure("mpmath", digits, "eigvalsh", 50, lambda: mpmath.eigsy(s, eigvals_only=True))


def main():
    print("package,version,digits,task,n,seconds")
    by_nonius(31, nn.dd)
    by_nonius(62, nn.qd)
    by_scipy()
    by_quaddtype()
    by_xprec()
    for digits in BITS:
        by_flint(digits)
        by_gmpy2(digits)
        by_mpmath(digits)


main()
