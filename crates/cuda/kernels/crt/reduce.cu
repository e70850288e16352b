// Residues of the sums of products of planes, where a library has multiplied them.

#include "crt/sums.cuh"
#include "arguments.cuh"

// Sums that a thread reduces.
constexpr int COUNT = 16;

extern "C" __global__ void __launch_bounds__(256) reduce_sums(const __grid_constant__ Reduce p) {
    const int plane = blockIdx.y;
    const long long first = ((long long)blockIdx.x * 256 + threadIdx.x) * COUNT;
    if (first >= p.size) return;
    const crt::Modulus m = p.moduli[plane];
    const bool small = plane < p.small_planes;
    unsigned char *to = p.residues + (small ? plane : 2ll * plane - p.small_planes) * p.size;
    int4 sums[COUNT / 4];
#pragma unroll
    for (int i = 0; i < COUNT / 4; i++) sums[i] = __ldcs((const int4 *)(p.sums + plane * p.size + first) + i);
    unsigned words[COUNT / 2];
    if (small) {
#pragma unroll
        for (int i = 0; i < COUNT / 4; i++)
            words[i] = join_bytes(crt::small_residue(m, sums[i].x), crt::small_residue(m, sums[i].y), crt::small_residue(m, sums[i].z), crt::small_residue(m, sums[i].w));
        *(uint4 *)(to + first) = make_uint4(words[0], words[1], words[2], words[3]);
    } else {
#pragma unroll
        for (int i = 0; i < COUNT / 4; i++) {
            words[2 * i] = crt::join_halves(crt::large_residue(m, sums[i].x), crt::large_residue(m, sums[i].y));
            words[2 * i + 1] = crt::join_halves(crt::large_residue(m, sums[i].z), crt::large_residue(m, sums[i].w));
        }
        *(uint4 *)(to + 2 * first) = make_uint4(words[0], words[1], words[2], words[3]);
        *(uint4 *)(to + 2 * first + 16) = make_uint4(words[4], words[5], words[6], words[7]);
    }
}
