// Between the host's layout, where the limbs of a number lie side by side and columns follow one another without gaps,
// and planes. Threads take the limbs in the order of the host's side, which a slow bus may lie before.

#include "matrix.cuh"

template <class Move> __device__ void for_each_limb(const Matrix &view, long long first, long long count, Move move) {
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x; at < count * LIMBS; at += step) {
        const long long number = first + at / LIMBS, limb = at % LIMBS;
        const long long j = number / view.rows, i = number - j * view.rows;
        move(at, view.at(i, j) + limb * view.plane);
    }
}

// Numbers first to first + count of the matrix, counted column by column; they begin at interleaved[0].
extern "C" __global__ void to_planes(Matrix view, const double *interleaved, long long first, long long count) {
    for_each_limb(view, first, count, [=](long long at, double *limb) { *limb = interleaved[at]; });
}

extern "C" __global__ void from_planes(Matrix view, double *interleaved, long long first, long long count) {
    for_each_limb(view, first, count, [=](long long at, double *limb) { interleaved[at] = *limb; });
}

// A rectangle over another of the same shape.
extern "C" __global__ void copy(Matrix to, Matrix from) {
    const long long count = to.rows * to.cols * LIMBS, step = (long long)gridDim.x * blockDim.x;
    for (long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x; at < count; at += step) {
        const long long limb = at / (to.rows * to.cols), number = at - limb * (to.rows * to.cols);
        const long long j = number / to.rows, i = number - j * to.rows;
        to.at(i, j)[limb * to.plane] = from.at(i, j)[limb * from.plane];
    }
}
