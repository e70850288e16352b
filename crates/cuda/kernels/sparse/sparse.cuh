// Sparse matrices by lines of terms (crates/linalg/src/sparse): where the terms of a line lie in
// the format FORMAT. Sparse is in arguments.cuh, which files include before.
#pragma once

#include "num/lane.cuh"

#define CSR 0
#define ELL 1
#define JAD 2
#define DIA 3
#define FULL 4

DEVICE long long steps_of(const Sparse &a, long long line) {
#if FORMAT == CSR
    return a.starts[line + 1] - a.starts[line];
#elif FORMAT == DIA
    return a.diagonals;
#elif FORMAT == FULL
    return a.cols;
#else
    return a.lengths[line];
#endif
}

// Where the value of term k lies.
DEVICE long long place_of(const Sparse &a, long long line, long long k) {
#if FORMAT == CSR
    return a.starts[line] + k;
#elif FORMAT == JAD
    return a.starts[k] + line;
#else
    return k * a.rows + line;
#endif
}

// The column of term k, or -1 where the matrix has none.
DEVICE long long column_of(const Sparse &a, long long line, long long k, long long place) {
#if FORMAT == DIA
    const long long column = line + a.starts[k];
    return column >= 0 && column < a.cols ? column : -1;
#elif FORMAT == FULL
    return k;
#else
    return a.columns[place];
#endif
}

DEVICE long long row_of(const Sparse &a, long long line) {
#if FORMAT == JAD
    return a.row_of_line[line];
#else
    return line;
#endif
}
