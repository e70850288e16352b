// How numbers lie in the device's memory.

#pragma once

// A rectangle: limb l of entry (i, j) is data[l * plane + j * ld + i].
struct View {
    double *data;
    long long rows, cols;
    long long ld;
    long long plane;
};

// The place of the first limb of entry (i, j).
__device__ inline double *place(const View &view, long long i, long long j) {
    return view.data + j * view.ld + i;
}
