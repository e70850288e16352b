// What the host reads of an iteration on the device (crates/linalg/src/backend/space.rs): rows of
// readings, until one is met.
#pragma once

#include "num/reading.cuh"

struct Log {
    // Whether it is met, and rows since the host looked.
    unsigned met, rows;
    Reading limit;
    Reading readings[1];

    // Appends the first `columns` readings of a row, unless the log is met.
    template <int K> DEVICE void append(const Reading (&row)[K], int columns) {
        if (met) return;
        for (int k = 0; k < columns; k++) readings[(long long)rows * columns + k] = row[k];
        rows++;
        if (row[0].at_most(limit)) met = 1;
    }
};

// Whether nothing is to change any more.
DEVICE bool is_held(const Log *log) { return log != nullptr && *(const volatile unsigned *)&log->met != 0; }
