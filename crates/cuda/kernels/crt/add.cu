// Residues of the sums of all terms, from those of some terms and of others.

#include "crt/sums.cuh"
#include "arguments.cuh"

// Bytes that a thread adds.
constexpr int COUNT = 16;

// The sums of four bytes, of two pairs.
DEVICE unsigned add_bytes(unsigned x, unsigned y, int modulus) {
    int sums[4];
#pragma unroll
    for (int i = 0; i < 4; i++) sums[i] = crt::balanced_sum((int)(x << (24 - 8 * i)) >> 24, (int)(y << (24 - 8 * i)) >> 24, modulus);
    return join_bytes(sums[0], sums[1], sums[2], sums[3]);
}

DEVICE unsigned add_pairs(unsigned x, unsigned y, int modulus, int bias) {
    const int low = crt::balanced_sum((int)(x & 0xffff) - bias, (int)(y & 0xffff) - bias, modulus);
    const int high = crt::balanced_sum((int)(x >> 16) - bias, (int)(y >> 16) - bias, modulus);
    return crt::join_halves(low + bias, high + bias);
}

// A block of the second index adds a plane of bytes, or half of one of pairs.
extern "C" __global__ void __launch_bounds__(256) add_residues(const __grid_constant__ Add p) {
    const int part = blockIdx.y;
    const bool small = part < p.small_planes;
    const long long first = ((long long)blockIdx.x * 256 + threadIdx.x) * COUNT;
    if (first >= p.size) return;
    const crt::Modulus &m = p.moduli[small ? part : p.small_planes + (part - p.small_planes) / 2];
    const int modulus = -m.minus_modulus, bias = m.bias;
    uint4 *to = (uint4 *)(p.residues + part * p.size + first);
    const uint4 x = *to, y = __ldcs((const uint4 *)(p.more + part * p.size + first));
    *to = small ? make_uint4(add_bytes(x.x, y.x, modulus), add_bytes(x.y, y.y, modulus), add_bytes(x.z, y.z, modulus), add_bytes(x.w, y.w, modulus))
                : make_uint4(add_pairs(x.x, y.x, modulus, bias), add_pairs(x.y, y.y, modulus, bias), add_pairs(x.z, y.z, modulus, bias), add_pairs(x.w, y.w, modulus, bias));
}
