// Inverses of the blocks on the diagonal of a triangle, each by one thread block.

#include "matrix.cuh"

// Rows of a block: the host's.
constexpr int SIDE = TRIANGLE_SIDE;

struct Task {
    // The factors, and where the inverses go: the same places of a matrix that is zero elsewhere.
    Matrix from, to;
    // The upper triangle; whether its diagonal is ones.
    int upper, unit;
};

// A thread has a column of the inverse of a lower triangle: the upper one is its transpose.
extern "C" __global__ void __launch_bounds__(SIDE) invert_blocks(const __grid_constant__ Task p) {
    __shared__ double triangle[SIDE][SIDE + 1], inverse[SIDE][SIDE + 1];
    const long long first = (long long)blockIdx.x * SIDE;
    const int size = (int)min((long long)SIDE, p.from.rows - first), t = threadIdx.x;
    for (int j = 0; j < size; j++)
        if (t < size) {
            const double x = *p.from.at(first + t, first + j);
            if (p.upper) triangle[j][t] = x;
            else triangle[t][j] = x;
        }
    __syncthreads();
    if (t < size)
        for (int i = 0; i < size; i++) {
            double sum = i == t ? 1.0 : 0.0;
            for (int k = t; k < i; k++) sum -= triangle[i][k] * inverse[k][t];
            inverse[i][t] = i < t ? 0.0 : p.unit ? sum : sum / triangle[i][i];
        }
    __syncthreads();
    for (int j = 0; j < size; j++)
        if (t < size) *p.to.at(first + t, first + j) = p.upper ? inverse[j][t] : inverse[t][j];
}
