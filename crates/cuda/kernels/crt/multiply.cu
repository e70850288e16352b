// Products of planes of bytes and the residues of their sums, on GPUs of compute capability 9.0.
//
// A block multiplies 128 lines of one operand by 256 of the other, 128 bytes of them at a time. One
// warp copies them to shared memory, some stages ahead; two groups of four warps multiply, 64 lines
// each. Two blocks of a cluster have the same 256 lines: each copies half of them to both. Blocks
// stay and take tile after tile, so that copies of the next go on while residues are made.

#include "crt/sums.cuh"
#include "dense/hopper.cuh"
#include "arguments.cuh"

// Lines of either operand that a block multiplies, and bytes of them at a time.
constexpr int COLUMNS = 128, ROWS = 256, DEPTH = 128;
constexpr int BLOCKS = MULTIPLY_CLUSTER, STAGES = MULTIPLY_STAGES;
constexpr unsigned COLUMN_BYTES = COLUMNS * DEPTH, STAGE_BYTES = (COLUMNS + ROWS) * DEPTH;
// Tiles of a column side by side that are computed before the next column's: what they read is in
// the cache.
constexpr int TOGETHER = 8;

struct Tile {
    int plane, row, column;
};

// The tile with the given number: the first row and column of the cluster.
DEVICE Tile tile_of(const Multiply &p, int number) {
    const int across = (p.width + BLOCKS * COLUMNS - 1) / (BLOCKS * COLUMNS), down = (p.height + ROWS - 1) / ROWS;
    const int plane = number / (across * down), place = number - plane * across * down;
    const int first = place / (TOGETHER * down) * TOGETHER, beside = min(TOGETHER, across - first), rest = place - first * down;
    return {plane, rest / beside * ROWS, (first + rest % beside) * BLOCKS * COLUMNS};
}

DEVICE int tiles(const Multiply &p) {
    return (p.width + BLOCKS * COLUMNS - 1) / (BLOCKS * COLUMNS) * ((p.height + ROWS - 1) / ROWS) * p.planes;
}

// A stage of the ring, and how often it has come round.
struct Turn {
    int stage = 0;
    unsigned parity = 0;

    DEVICE void next() {
        if (++stage == STAGES) stage = 0, parity ^= 1;
    }
};

struct Ring {
    Barrier full[STAGES], empty[STAGES];
};

DEVICE void copy_lines(const Multiply &p, Ring &ring, unsigned memory, unsigned block) {
    Turn turn;
    for (int number = blockIdx.x / BLOCKS; number < tiles(p); number += gridDim.x / BLOCKS) {
        const Tile tile = tile_of(p, number);
        const int row = tile.row + block * (ROWS / BLOCKS), column = tile.column + block * COLUMNS;
        for (int depth = 0; depth < p.depth; depth += DEPTH, turn.next()) {
            ring.empty[turn.stage].wait(turn.parity ^ 1);
            Barrier &full = ring.full[turn.stage];
            full.expect(STAGE_BYTES);
            const unsigned to = memory + turn.stage * STAGE_BYTES;
            copy_box(to, p.columns, full, depth, column, tile.plane);
            copy_box_to(to + COLUMN_BYTES + block * (ROWS / BLOCKS * DEPTH), p.rows, full, depth, row, tile.plane, (1 << BLOCKS) - 1);
        }
    }
    // Other blocks arrive here as long as they have lines of this one.
    for (int s = 0; s < STAGES; s++, turn.next()) ring.empty[turn.stage].wait(turn.parity ^ 1);
}

// Threads that share four lines exchange what they have: thread t has word i of line t from thread
// i.
DEVICE void transpose(unsigned (&words)[4]) {
    const int t = threadIdx.x % 4;
    unsigned low[2], high[2];
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const unsigned got = __shfl_xor_sync(~0u, t & 2 ? words[i] : words[2 + i], 2);
        low[i] = t & 2 ? got : words[i], high[i] = t & 2 ? words[2 + i] : got;
    }
    // Of two lines there are the words of threads t % 2 and t % 2 + 2.
    const unsigned first = __shfl_xor_sync(~0u, t & 1 ? low[0] : low[1], 1), second = __shfl_xor_sync(~0u, t & 1 ? high[0] : high[1], 1);
    words[0] = t & 1 ? first : low[0], words[1] = t & 1 ? low[1] : first;
    words[2] = t & 1 ? second : high[0], words[3] = t & 1 ? high[1] : second;
}

// Writes the residues of a group's sums.
DEVICE void write_residues(const Multiply &p, const Tile &tile, int column, const int (&sums)[128]) {
    const crt::Modulus m = p.moduli[tile.plane];
    const int t = threadIdx.x % 4;
    const bool small = tile.plane < p.small_planes;
    unsigned char *to = p.residues + (small ? tile.plane : 2ll * tile.plane - p.small_planes) * p.size;
#pragma unroll
    for (int h = 0; h < 2; h++, column += 8) {
        if (column >= p.width) break;
        const long long first = (long long)column * p.height + tile.row;
        if (small) {
#pragma unroll
            for (int j = 0; j < 32; j += 8) {
                // Lines 8·(j + e) and 8·(j + 4 + e): two bytes of each.
                unsigned words[4];
#pragma unroll
                for (int e = 0; e < 4; e++) {
                    const int *one = sums + 4 * (j + e) + 2 * h, *other = one + 16;
                    words[e] = join_bytes(crt::small_residue(m, one[0]), crt::small_residue(m, one[1]), crt::small_residue(m, other[0]), crt::small_residue(m, other[1]));
                }
                transpose(words);
#pragma unroll
                for (int half = 0; half < 2; half++) {
                    const int row = 8 * (j + 4 * half + t), halves = half ? 0x7632 : 0x5410;
                    if (tile.row + row < p.height) *(uint2 *)(to + first + row) = make_uint2(__byte_perm(words[0], words[1], halves), __byte_perm(words[2], words[3], halves));
                }
            }
        } else {
#pragma unroll
            for (int j = 0; j < 32; j += 4) {
                unsigned words[4];
#pragma unroll
                for (int e = 0; e < 4; e++) {
                    const int *pair = sums + 4 * (j + e) + 2 * h;
                    words[e] = crt::join_halves(crt::large_residue(m, pair[0]), crt::large_residue(m, pair[1]));
                }
                transpose(words);
                const int row = 8 * (j + t);
                if (tile.row + row < p.height) *(uint4 *)(to + 2 * (first + row)) = make_uint4(words[0], words[1], words[2], words[3]);
            }
        }
    }
}

DEVICE void multiply_all(const Multiply &p, Ring &ring, unsigned memory, unsigned block, int group) {
    Turn turn;
    const int thread = threadIdx.x % 128;
    int sums[128];
    for (int number = blockIdx.x / BLOCKS; number < tiles(p); number += gridDim.x / BLOCKS) {
        int last = -1;
        // A stage is empty for all blocks that copy to it when both groups are done with it.
        auto release = [&] {
            if (thread < BLOCKS) ring.empty[last].arrive_at(thread);
        };
        for (int depth = 0; depth < p.depth; depth += DEPTH, turn.next()) {
            ring.full[turn.stage].wait(turn.parity);
            const unsigned from = memory + turn.stage * STAGE_BYTES;
            const unsigned long long a = lines_at(from + group * (COLUMN_BYTES / 2)), b = lines_at(from + COLUMN_BYTES);
            begin_products();
#pragma unroll
            for (int step = 0; step < DEPTH / 32; step++) multiply_lines(sums, a + step * LINE_STEP, b + step * LINE_STEP, depth > 0 || step > 0);
            commit_products();
            if (last >= 0) {
                wait_for_products<1>();
                release();
            }
            last = turn.stage;
        }
        wait_for_products<0>();
        release();
        const Tile tile = tile_of(p, number);
        write_residues(p, tile, tile.column + block * COLUMNS + group * 64 + thread / 32 * 16 + thread % 32 / 4, sums);
    }
}

extern "C" __global__ void __cluster_dims__(BLOCKS, 1, 1) __launch_bounds__(384, 1) multiply(const __grid_constant__ Multiply p) {
    if (p.refused && *p.refused) return;
    extern __shared__ __align__(1024) unsigned char shared[];
    __shared__ Ring ring;
    const unsigned memory = shared_address(shared) + 1023 & ~1023u, block = block_of_cluster();
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) ring.full[s].start(1), ring.empty[s].start(2 * BLOCKS);
        publish_barriers();
    }
    wait_for_cluster();
    if (threadIdx.x < 128) {
        give_up_registers<40>();
        if (threadIdx.x == 0) copy_lines(p, ring, memory, block);
    } else {
        take_registers<232>();
        multiply_all(p, ring, memory, block, threadIdx.x / 128 - 1);
    }
    wait_for_cluster();
}
