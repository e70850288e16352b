// Between the host's layout, where the limbs of a number lie side by side and columns follow one
// another without gaps, and planes. Threads take the limbs in the order of the host's side, which a
// slow bus may lie before.

#include "dense/matrix.cuh"

template <class Move> __device__ void for_each_limb(const Matrix &view, Move move) {
    const long long count = view.rows * view.cols * LIMBS, step = (long long)gridDim.x * blockDim.x;
    for (long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x; at < count; at += step) {
        const long long number = at / LIMBS, limb = at % LIMBS;
        const long long j = number / view.rows, i = number - j * view.rows;
        move(at, view.at(i, j) + limb * view.plane);
    }
}

// All numbers of the matrix, column by column from interleaved[0] on.
extern "C" __global__ void to_planes(Matrix view, const double *interleaved) {
    for_each_limb(view, [=](long long at, double *limb) { *limb = interleaved[at]; });
}

extern "C" __global__ void from_planes(Matrix view, double *interleaved) {
    for_each_limb(view, [=](long long at, double *limb) { interleaved[at] = *limb; });
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

// The triangle below the diagonal over the one above.
extern "C" __global__ void mirror_lower(Matrix a) {
    for_each_limb(a, [=](long long at, double *limb) {
        const long long number = at / LIMBS, j = number / a.rows, i = number - j * a.rows;
        if (i < j) *limb = a.at(j, i)[at % LIMBS * a.plane];
    });
}
