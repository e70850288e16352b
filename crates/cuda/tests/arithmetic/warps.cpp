// A product by residues whose kernels run here, warp by warp: those for integers of any length, and
// those for sums and residues of planes. What the threads of a warp do together (waiting for one
// another, products on tensor cores) is done here.

#include "threads.h"

struct uint2 {
    unsigned x, y;
};
struct int2 {
    int x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(16) int4 {
    int x, y, z, w;
};

inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline int2 make_int2(int x, int y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

#define __global__
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__
#define __align__(bytes)
#define __syncwarp() wait_for_block()

inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
    const uint64_t bytes = (uint64_t)high << 32 | low;
    unsigned chosen = 0;
    for (int i = 0; i < 4; i++) chosen |= (unsigned)(bytes >> 8 * (selector >> 4 * i & 7) & 255) << 8 * i;
    return chosen;
}

template <class T> T __ldcs(const T *p) { return *p; }

// Shared memory of a block, by the names that kernels have for it.
extern "C" {
uint4 words[1 << 14], shared[1 << 14];
}

constexpr int WARP = 32;

static void run_warp(std::function<void()> kernel) { run_block(WARP, kernel); }

// mma.sync.m16n8k16: see mma.cuh.
static unsigned a_bytes[2][WARP], b_bytes[WARP];

template <class A, class B> void multiply(int (&sums)[4], unsigned a0, unsigned a1, unsigned b, const int (&start)[4]) {
    const int own = threadIdx.x, g = own / 4, t = own % 4;
    a_bytes[0][own] = a0, a_bytes[1][own] = a1, b_bytes[own] = b;
    wait_for_block();
    int results[4];
    for (int i = 0; i < 4; i++) {
        results[i] = start[i];
        for (int byte = 0; byte < 16; byte++) {
            const unsigned x = a_bytes[i / 2][4 * g + byte / 4], y = b_bytes[4 * (2 * t + i % 2) + byte / 4];
            results[i] += (int)(A)(x >> 8 * (byte % 4)) * (int)(B)(y >> 8 * (byte % 4));
        }
    }
    wait_for_block();
    std::copy(results, results + 4, sums);
}

inline void multiply_unsigned(int (&sums)[4], unsigned a0, unsigned a1, unsigned b, const int (&start)[4]) { multiply<uint8_t, int8_t>(sums, a0, a1, b, start); }
inline void multiply_signed(int (&sums)[4], unsigned a0, unsigned a1, unsigned b) { multiply<int8_t, uint8_t>(sums, a0, a1, b, sums); }

inline int dot_bytes(unsigned bytes, int weights, int sum) {
    for (int i = 0; i < 32; i += 8) sum += (int)(uint8_t)(bytes >> i) * (int8_t)(weights >> i);
    return sum;
}

inline unsigned join_bytes(int a, int b, int c, int d) { return (a & 255) | (b & 255) << 8 | (c & 255) << 16 | (unsigned)(d & 255) << 24; }

#include "crt/sums.cuh"
#include "mp/mp.cuh"

namespace packing {
#include "crt/pack_wide.cu"
}
namespace reducing {
#include "crt/reduce.cu"
}
namespace adding {
#include "crt/add.cu"
}
namespace rebuilding {
#include "crt/rebuild_wide.cu"
}

// What the test hands over.
#include "product.cuh"

constexpr long long THREADS = 256, COUNT = 16;

// Calls `kernel` as each thread of blocks for `size` numbers in each of some planes.
template <class Kernel> void run_threads(long long size, int planes, Kernel kernel) {
    for (int plane = 0; plane < planes; plane++)
        for (long long first = 0; first * COUNT < size; first++) {
            blockIdx = {(int)(first / THREADS), plane}, threadIdx = {(int)(first % THREADS), 0};
            kernel();
        }
}

extern "C" void multiply_by_residues(const Product *p) {
    const Operand &a = p->operands[0], &b = p->operands[1];
    const long long pitch = (p->terms + 31) / 32 * 32, lines[2] = {(a.lines + 31) / 32 * 32, (b.lines + 15) / 16 * 16}, size = lines[0] * lines[1];
    // Whole pieces of 16 bytes, with something in them.
    auto room = [](long long bytes) { return std::vector<uint4>(bytes / 16 + 1, uint4{77, 77, 77, 77}); };
    auto residues = room((2ll * p->planes - p->small_planes) * size), more = residues;
    for (long long first = 0; first < p->k; first += p->terms) {
        std::vector<uint4> planes[2];
        for (int side = 0; side < 2; side++) {
            const Operand &x = p->operands[side];
            planes[side] = room(p->planes * lines[side] * pitch);
            const long long skipped = first * x.place_stride;
            const packing::Pack pack = {{x.data + skipped, p->count, x.line_stride, x.place_stride}, x.lines, std::min(p->terms, p->k - first),
                                        x.exponents, p->bits, (signed char *)planes[side].data(), lines[side] * pitch, pitch, x.weights, x.columns,
                                        p->small_tiles, p->tiles, p->small_planes, p->planes, p->chains, 0};
            const int blocks = (int)((x.lines + 15) / 16 * 2 * (pitch / 16));
            for (int block = 0; block < blocks; block++) {
                blockIdx = {block, 0};
                run_warp([&] { packing::pack_wide(pack); });
            }
        }
        std::vector<int> sums(p->planes * size);
        for (long long entry = 0; entry < p->planes * size; entry++) {
            const long long plane = entry / size, row = entry % lines[0], column = entry % size / lines[0];
            const signed char *x = (signed char *)planes[0].data() + (plane * lines[0] + row) * pitch, *y = (signed char *)planes[1].data() + (plane * lines[1] + column) * pitch;
            for (long long l = 0; l < pitch; l++) sums[entry] += x[l] * y[l];
        }
        const reducing::Reduce reduce = {sums.data(), p->moduli, (unsigned char *)(first > 0 ? more : residues).data(), size, p->small_planes, p->planes};
        run_threads(size, p->planes, [&] { reducing::reduce_sums(reduce); });
        if (first > 0) {
            const adding::Add add = {(unsigned char *)residues.data(), (unsigned char *)more.data(), p->moduli, size, p->small_planes, p->planes};
            run_threads(size, 2 * p->planes - p->small_planes, [&] { adding::add_residues(add); });
        }
    }
    const rebuilding::Rebuild rebuild = {{p->data, p->count, p->precision, p->count + 1, (p->count + 1) * a.lines}, (unsigned char *)residues.data(), size, lines[0], a.exponents, b.exponents,
                                         p->weights, p->product, p->inverse, 0, 0, (int)a.lines, (int)b.lines, rebuilding::ALL, 1,
                                         p->small_steps, p->steps, p->small_planes, p->planes, (int)p->bits, p->digits, nullptr};
    for (int block = 0; block < (a.lines + 31) / 32 * b.lines; block++) {
        blockIdx = {block, 0};
        run_warp([&] { rebuilding::rebuild_wide(rebuild); });
    }
}
