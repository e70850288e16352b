// The entries of a rectangle, shared among the threads of a grid.

#pragma once

#include "dense/matrix.cuh"

// Calls visit(i, j) for the first of every COUNT entries of every column, in a grid of blocks that
// are as tall as columns are long.
template <int COUNT, class Visit> __device__ __forceinline__ void for_each(const Matrix &view, Visit visit) {
    const long long first = ((long long)blockIdx.x * blockDim.x + threadIdx.x) * COUNT;
    const long long step = (long long)gridDim.x * blockDim.x * COUNT;
    const long long column_step = (long long)gridDim.y * blockDim.y;
    for (long long j = (long long)blockIdx.y * blockDim.y + threadIdx.y; j < view.cols; j += column_step)
        for (long long i = first; i < view.rows; i += step) visit(i, j);
}

// Calls visit(i, j) for every entry, in a grid of one dimension: neighbours in a column for
// neighbouring threads.
template <class Visit> DEVICE void for_each(long long rows, long long cols, Visit visit) {
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x; at < rows * cols; at += step) visit(at % rows, at / rows);
}
