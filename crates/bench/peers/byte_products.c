// What a core does in products of bytes at the most: sums of four products in each of 16 lanes, all
// operands in registers. Prints billions of multiply-adds a second.
//
// gcc -O2 -mavx512f -mavx512vnni byte_products.c -o byte_products && ./byte_products

#include <immintrin.h>
#include <stdio.h>
#include <time.h>

enum { SUMS = 24, STEPS = 10000000 };

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

#define EACH(do) \
    do(0) do(1) do(2) do(3) do(4) do(5) do(6) do(7) do(8) do(9) do(10) do(11) \
    do(12) do(13) do(14) do(15) do(16) do(17) do(18) do(19) do(20) do(21) do(22) do(23)
#define DECLARE(i) __m512i sum##i = _mm512_set1_epi32(i);
#define STEP(i) __asm__ volatile("vpdpbusd %2, %1, %0" : "+v"(sum##i) : "v"(x), "v"(y));
#define JOIN(i) all = _mm512_xor_si512(all, sum##i);

int main(void) {
    const __m512i x = _mm512_set1_epi32(0x01010101), y = _mm512_set1_epi32(0x02020202);
    double best = 1e9;
    int result = 0;
    for (int run = 0; run < 5; run++) {
        EACH(DECLARE)
        const double start = seconds();
        for (long step = 0; step < STEPS; step++) {
            EACH(STEP)
        }
        const double time = seconds() - start;
        if (time < best) best = time;
        __m512i all = _mm512_setzero_si512();
        EACH(JOIN)
        result ^= _mm512_reduce_add_epi32(all);
    }
    printf("%.1f (%d)\n", 64.0 * SUMS * STEPS / best * 1e-9, result);
    return 0;
}
