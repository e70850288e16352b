"""Prints the Hilbert matrix of the given order, H[i][j] = 1/(i + j - 1), to 80 significant digits as a Matrix Market
array file: python3 data/hilbert.py 20 > data/hilbert20.mtx"""
import sys
from decimal import Decimal, getcontext

n = int(sys.argv[1])
getcontext().prec = 80
print("%%MatrixMarket matrix array real symmetric")
print(f"% Hilbert matrix of order {n}, 1/(i + j - 1) to 80 significant digits")
print(n, n)
for j in range(1, n + 1):
    for i in range(j, n + 1):
        print(Decimal(1) / (i + j - 1))
