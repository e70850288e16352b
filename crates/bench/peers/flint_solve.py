"""FLINT's ball solve (`arb_mat.solve`) through python-flint (PyPI), one thread: CSV rows on standard output.

    python3 crates/bench/peers/flint_solve.py [--digits 15 30 …] [--conditions 0 15 …] [ORDER…]

Entries without radius, at the least precision that leaves every entry of the solution the digits asked for: random ones of 53 bits, and for a condition of
10^p a diagonal matrix from 1 to 10^-p between two reflections, in 212 bits.
"""
import argparse
import math
import random
import time

import flint


def matrix(rows, cols):
    return flint.arb_mat(rows, cols, [flint.arb(random.getrandbits(53) - 2**52) for _ in range(rows * cols)])


def conditioned(n, power):
    """`H·D·K` for reflections `H`, `K` by random vectors."""
    flint.ctx.prec = 212
    sides = []
    for _ in range(2):
        x = [flint.arb(random.getrandbits(53) - 2**52) for _ in range(n)]
        norm = sum((x * x for x in x), flint.arb(0)).sqrt()
        sides.append([(x / norm).mid() for x in x])
    u, v = sides
    d = [(flint.arb(10) ** (flint.arb(-power * i) / (n - 1))).mid() for i in range(n)]
    middle = sum((u[i] * d[i] * v[i] for i in range(n)), flint.arb(0)).mid()
    entries = []
    for i in range(n):
        for j in range(n):
            x = (d[i] if i == j else 0) - 2 * u[i] * u[j] * d[j] - 2 * d[i] * v[i] * v[j] + 4 * u[i] * middle * v[j]
            entries.append(x.mid())
    return flint.arb_mat(n, n, entries)


def measure(a, b, digits, first):
    """The seconds of the first precision that suffices, and that precision."""
    n = a.nrows()
    wanted = math.ceil(digits * math.log2(10)) + 1
    flint.ctx.prec = max(wanted, first)
    while True:
        start = time.perf_counter()
        try:
            x = a.solve(b)
            seconds = time.perf_counter() - start
            known = min(x[i, 0].rel_accuracy_bits() for i in range(n))
        except ZeroDivisionError:
            known = 0
        if known >= wanted:
            return seconds, flint.ctx.prec
        flint.ctx.prec += max(8, min(64, wanted - known))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("orders", nargs="*", type=int, default=[256])
    parser.add_argument("--digits", nargs="+", type=int, default=[15, 30, 60, 100, 200])
    parser.add_argument("--conditions", nargs="+", type=int, default=[0], help="powers of ten; 0 for random entries")
    arguments = parser.parse_args()
    random.seed(1)
    print("library,precision,operation,m,n,k,threads,seconds,rate,unit")
    for n in arguments.orders:
        for power in arguments.conditions:
            a = conditioned(n, power) if power else matrix(n, n)
            b = matrix(n, 1)
            beyond = 0
            for digits in sorted(arguments.digits):
                wanted = math.ceil(digits * math.log2(10)) + 1
                # What the last digits took beyond their own bits, these take too.
                seconds, bits = measure(a, b, digits, wanted + beyond)
                beyond = bits - wanted
                rate = 2.0 / 3.0 * n**3 / seconds / 1e9
                row = f"flint,digits{digits},solve-1e{power},{n},1,{n},1,{seconds:.6e},{rate:.6e},GFLOPS"
                print(row, flush=True)


if __name__ == "__main__":
    main()
