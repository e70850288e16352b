"""FLINT's ball solve (`arb_mat.solve`) through python-flint (PyPI), one thread: CSV rows on standard output.

Random entries of 53 bits without radius, at the least precision that leaves every entry of the solution the digits asked for.
"""
import math
import random
import sys
import time

import flint

DIGITS = (15, 30, 60, 100, 200)


def matrix(rows, cols):
    return flint.arb_mat(rows, cols, [flint.arb(random.getrandbits(53) - 2**52) for _ in range(rows * cols)])


def main(sizes):
    random.seed(1)
    print("library,precision,operation,m,n,k,threads,seconds,rate,unit")
    for n in sizes:
        a, b = matrix(n, n), matrix(n, 1)
        for digits in DIGITS:
            wanted = math.ceil(digits * math.log2(10)) + 1
            flint.ctx.prec = wanted
            while True:
                start = time.perf_counter()
                try:
                    x = a.solve(b)
                    seconds = time.perf_counter() - start
                    known = min(x[i, 0].rel_accuracy_bits() for i in range(n))
                except ZeroDivisionError:
                    known = 0
                if known >= wanted:
                    break
                flint.ctx.prec += max(8, min(64, wanted - known))
            rate = 2.0 / 3.0 * n**3 / seconds / 1e9
            print(f"flint,digits{digits},solve-1e0,{n},1,{n},1,{seconds:.6e},{rate:.6e},GFLOPS", flush=True)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [256])
