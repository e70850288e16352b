// Inverses of the blocks on the diagonal of a triangle, each by one thread block.

#include "dense/matrix.cuh"

#include "arguments.cuh"

// Rows of a block: the host's.
constexpr int SIDE = TRIANGLE_SIDE;

// A thread has a column of the inverse of a lower triangle: the upper one is its transpose. `both` has the triangle below its diagonal and the transpose of the
// inverse above.
extern "C" __global__ void __launch_bounds__(SIDE) invert_blocks(const __grid_constant__ Blocks p) {
    __shared__ double both[SIDE][SIDE + 1], diagonal[SIDE];
    const long long first = (long long)blockIdx.x * SIDE;
    const int size = (int)min((long long)SIDE, p.from.rows - first), t = threadIdx.x;
    const Matrix from = p.upper ? p.from.transposed() : p.from, to = p.upper ? p.to.transposed() : p.to;
    if (t < size)
        for (int j = 0; j < size; j++) {
            // Neighbours in a warp read neighbours in memory.
            const int row = p.upper ? j : t, column = p.upper ? t : j;
            const double x = *from.at(first + row, first + column);
            if (row > column) both[row][column] = x;
            if (row == column) diagonal[row] = p.unit ? 1.0 : x;
        }
    __syncthreads();
    if (t >= size) return;
    const double own = 1.0 / diagonal[t];
    for (int i = t + 1; i < size; i++) {
        double sum = -both[i][t] * own;
        for (int k = t + 1; k < i; k++) sum -= both[i][k] * both[t][k];
        both[t][i] = sum / diagonal[i];
    }
    // Above the diagonal there are zeros.
    *to.at(first + t, first + t) = own;
    for (int i = t + 1; i < size; i++) *to.at(first + i, first + t) = both[t][i];
}
