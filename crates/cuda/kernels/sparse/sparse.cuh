// Sparse matrices by lines of terms (crates/linalg/src/sparse): where the terms of a line lie in the format FORMAT.
#pragma once

#include "num/lane.cuh"

#define CSR 0
#define ELL 1
#define JAD 2
#define DIA 3
#define FULL 4

struct Sparse {
    long long rows, cols;
    // CSR: where each row begins, and where the last ends; JAD: where term k of the first line lies; DIA: column minus row of each diagonal.
    const long long *starts;
    // But for DIA and FULL.
    const unsigned *columns;
    // Terms of each line, for ELL and JAD.
    const unsigned *lengths;
    // The row that a line is, for JAD.
    const unsigned *row_of_line;
    // For DIA.
    long long diagonals;

    DEVICE long long steps(long long line) const {
#if FORMAT == CSR
        return starts[line + 1] - starts[line];
#elif FORMAT == DIA
        return diagonals;
#elif FORMAT == FULL
        return cols;
#else
        return lengths[line];
#endif
    }

    // Where the value of term k lies.
    DEVICE long long place(long long line, long long k) const {
#if FORMAT == CSR
        return starts[line] + k;
#elif FORMAT == JAD
        return starts[k] + line;
#else
        return k * rows + line;
#endif
    }

    // The column of term k, or -1 where the matrix has none.
    DEVICE long long column(long long line, long long k, long long place) const {
#if FORMAT == DIA
        const long long column = line + starts[k];
        return column >= 0 && column < cols ? column : -1;
#elif FORMAT == FULL
        return k;
#else
        return columns[place];
#endif
    }

    DEVICE long long row(long long line) const {
#if FORMAT == JAD
        return row_of_line[line];
#else
        return line;
#endif
    }
};
