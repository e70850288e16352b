// What kernels that make residues of numbers have in common: how a warp shares out its entries, and
// the reduction of sums.
#pragma once

#include "crt/crt.cuh"
#include "crt/mma.cuh"
#include "mp/mp.cuh"
#include "arguments.cuh"

// Where the numbers of a thread are: four of a warp's 8 × 16 entries. Neighbours in a warp read
// neighbours in memory.
struct Places {
    static DEVICE int line(const Pack &p, int e) {
        const int lane = threadIdx.x % 32;
        return p.from.line_stride < p.from.place_stride ? lane % 8 : lane / 16 + 2 * e;
    }

    static DEVICE int place(const Pack &p, int e) {
        const int lane = threadIdx.x % 32;
        return p.from.line_stride < p.from.place_stride ? lane / 8 + 4 * e : lane % 16;
    }
};

#ifdef MP

struct Numbers : Places {
    // −1 beyond the edge, where numbers are zero.
    long long at[4];
    int up[4];

    DEVICE void load(const Pack &p, long long first_line, long long first_place) {
#pragma unroll
        for (int e = 0; e < 4; e++) {
            const long long i = first_line + line(p, e), l = first_place + place(p, e);
            const bool inside = i < p.lines && l < p.k;
            at[e] = inside ? i * p.from.line_stride + l * p.from.place_stride : -1;
            up[e] = inside ? (int)p.bits - p.exponents[i] : 0;
        }
    }

    // Calls put(w, word w) for the `size` words of the integer of a number, 2^(32·size − 1) added.
    template <class Put> DEVICE void integer(const Pack &p, int e, int size, Put put) const {
        const bool inside = at[e] >= 0;
        const mp::Word *words = p.from.data + (inside ? at[e] : 0);
        mp::integer(words, p.from.count, inside ? (int)words[p.from.count] : mp::head(mp::ZERO, false), up[e], size,
                    [&](int w, unsigned word) { put(w, w == size - 1 ? word ^ 0x80000000u : word); });
    }
};

#endif

// What planes have of an entry: residues modulo two small moduli, or the digits of one modulo a
// large one and their sum.
template <bool SMALL> struct PlaneBytes {
    static constexpr int PLANES = SMALL ? 2 : 3;
    int byte[PLANES];

    // From the sums of two columns.
    DEVICE PlaneBytes(int low, int high, const int4 &left, const int4 &right) {
        if constexpr (SMALL) {
            byte[0] = crt::residue_byte(low, __int_as_float(left.y), left.z);
            byte[1] = crt::residue_byte(high, __int_as_float(right.y), right.z);
        } else {
            const crt::Digits digits = crt::two_digits(crt::residue_pair(low, high, __int_as_float(left.y), left.z));
            byte[0] = digits.low, byte[1] = digits.high, byte[2] = digits.sum;
        }
    }
};
