// Products of small matrices of bytes on tensor cores, of GPUs of compute capability 8.0 and later.

#pragma once

#include "num/lane.cuh"

// start + a·b for 16 × 16 unsigned bytes a and 16 × 8 signed bytes b. Of a warp's thread 4·g + t, a
// has the bytes 4·t to 4·t + 3 of rows g and g + 8, b those of column g, and the sums are those of
// columns 2·t and 2·t + 1, of row g, then of row g + 8.
DEVICE void multiply_unsigned(int (&sums)[4], unsigned a0, unsigned a1, unsigned b, const int (&start)[4]) {
    asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=r"(sums[0]), "=r"(sums[1]), "=r"(sums[2]), "=r"(sums[3])
        : "r"(a0), "r"(a1), "r"(b), "r"(start[0]), "r"(start[1]), "r"(start[2]), "r"(start[3]));
}

// sums += a·b, with signed bytes a and unsigned bytes b.
DEVICE void multiply_signed(int (&sums)[4], unsigned a0, unsigned a1, unsigned b) {
    asm("mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a0), "r"(a1), "r"(b));
}

// sum + Σ bytes·weights of four unsigned bytes and four signed ones.
DEVICE int dot_bytes(unsigned bytes, int weights, int sum) {
    int result;
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(bytes), "r"(weights), "r"(sum));
    return result;
}

// The lowest bytes of four numbers.
DEVICE unsigned join_bytes(int a, int b, int c, int d) {
    return __byte_perm(__byte_perm((unsigned)a, (unsigned)b, 0x0040), __byte_perm((unsigned)c, (unsigned)d, 0x0040), 0x5410);
}
