"""FLINT's ball matrix product and solve through python-flint (PyPI), one thread: CSV rows on standard output.

Two kinds of entries: `exact`, uniform in [-1, 1] with no radius and a common exponent, the easiest for FLINT's
block algorithm; `ball`, normally distributed with the radius that rounding to the precision leaves.
"""
import random
import sys
import time

import flint


def entry(bits, kind):
    uniform = flint.arb(flint.fmpz(random.getrandbits(bits))) / flint.fmpz(2) ** bits * 2 - 1
    if kind == "exact":
        return uniform
    return flint.arb(random.gauss(0.0, 1.0)) * (uniform / 64 + 1).sqrt()


def matrix(rows, cols, bits, kind):
    return flint.arb_mat(rows, cols, [entry(bits, kind) for _ in range(rows * cols)])


def best_of(work, times):
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def row(precision, operation, m, n, k, seconds, flops):
    print(f"flint,{precision},{operation},{m},{n},{k},1,{seconds:.6e},{flops / seconds / 1e9:.6e},GFLOPS", flush=True)


def main(sizes):
    random.seed(1)
    print("library,precision,operation,m,n,k,threads,seconds,rate,unit")
    for bits, precision in ((106, "dd"), (159, "td"), (212, "qd")):
        flint.ctx.prec = bits
        for n in sizes:
            for kind in ("exact", "ball"):
                a, b = matrix(n, n, bits, kind), matrix(n, n, bits, kind)
                row(precision, f"gemm_{kind}", n, n, n, best_of(lambda: a * b, 3), 2.0 * n**3)
        n = 256
        a, b = matrix(n, n, bits, "ball"), matrix(n, 1, bits, "ball")
        row(precision, "solve", n, 1, n, best_of(lambda: a.solve(b), 1), 2.0 / 3.0 * n**3)
    for bits in (106, 212, 424, 1000, 2048):
        flint.ctx.prec = bits
        for n in sizes:
            for kind in ("exact", "ball"):
                a, b = matrix(n, n, bits, kind), matrix(n, n, bits, kind)
                row(f"mp{bits}", f"gemm_{kind}", n, n, n, best_of(lambda: a * b, 3), 2.0 * n**3)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [512])
