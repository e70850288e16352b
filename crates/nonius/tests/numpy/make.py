"""Makes the files of this folder, with NumPy 2.4.6 and SciPy 1.17.1."""

import numpy as np
import scipy.sparse as sparse

# 2 x 3, with a fraction that binary numbers of half precision have.
matrix = np.array([[1, -2, 3.5], [0, 0.25, -6]])

np.save("half.npy", matrix.astype("<f2"))
np.save("single-big-endian.npy", matrix.astype(">f4"))
np.save("double-fortran.npy", np.asfortranarray(matrix))
np.save("column.npy", np.array([0.1, -2.0]))
np.save("scalar.npy", np.array(7.5))
np.save("integers.npy", np.array([[2**63 - 1, -1], [0, -(2**63)]]))
np.save("unsigned.npy", np.array([[255, 0]], dtype="u1"))
np.save("truth.npy", np.array([[True, False]]))
np.save("texts.npy", np.array([["0.1", "-1e-3"], ["1" + 40 * "0" + "1", "2"]]))
np.save("bytes.npy", np.array([b"0.1", b"2"]))
np.save("complex.npy", np.array([1j]))
np.save("empty.npy", np.zeros((0, 3)))
np.save("cube.npy", np.zeros((1, 1, 1)))

# Headers of versions 2 and 3 in bytes.
for version in (2, 3):
    with open(f"version-{version}.npy", "wb") as file:
        np.lib.format.write_array(file, matrix, version=(version, 0))

np.savez("one.npz", matrix)
np.savez("two.npz", a=matrix, b=2 * matrix)
np.savez_compressed("packed.npz", a=matrix)

rows, columns = np.array([0, 2, 2, 2]), np.array([1, 0, 2, 2])
coo = sparse.coo_array((np.array([0.1, -2.0, 3.0, 4.0]), (rows, columns)), shape=(3, 4))
sparse.save_npz("coo.npz", coo)
sparse.save_npz("csr.npz", coo.tocsr(), compressed=False)
sparse.save_npz("csc.npz", sparse.csc_matrix(coo))
sparse.save_npz("dia.npz", coo.todia())
