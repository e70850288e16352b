// What GPUs of compute capability 9.0 have beyond others: copies of boxes of matrices and of many
// bytes, barriers that count bytes, clusters of blocks that share memory, and products of matrices
// by the warps of a group.
#pragma once

#include "dense/copy.cuh"

// A matrix of three dimensions and the box of it that is copied at a time, as the driver encodes
// it.
struct __align__(64) TensorMap {
    unsigned long long words[16];
};

// A barrier in shared memory: a phase ends when all arrivals and all announced bytes have come.
struct Barrier {
    unsigned long long state;

    DEVICE unsigned address() const { return shared_address(this); }

    DEVICE void start(unsigned arrivals) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address()), "r"(arrivals) : "memory"); }

    // Arrives, and announces `bytes` bytes.
    DEVICE void expect(unsigned bytes) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address()), "r"(bytes) : "memory");
    }

    // Waits for the end of a phase of this parity.
    DEVICE void wait(unsigned parity) {
        asm volatile("{ .reg .pred done; again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; @!done bra again; }" ::"r"(address()), "r"(parity) : "memory");
    }

    // Arrives at the same barrier of a block of the cluster, with what the thread has read so far;
    // nothing it wrote is handed over.
    DEVICE void arrive_at(unsigned block) {
        asm volatile("{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; mbarrier.arrive.shared::cluster.b64 _, [there]; }" ::"r"(address()), "r"(block) : "memory");
    }
};

// Shows barriers that were started to the cluster and to copies.
DEVICE void publish_barriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

DEVICE unsigned block_of_cluster() {
    unsigned block;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(block));
    return block;
}

// Waits for all threads of the cluster.
DEVICE void wait_for_cluster() { asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory"); }

// Begins the copy of some bytes, a multiple of 16 as both places are, which count at the barrier.
DEVICE void copy_bytes(unsigned to, const void *from, unsigned bytes, Barrier &barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(from), "r"(bytes), "r"(barrier.address()) : "memory");
}

// Begins the copy of a box, which counts at the barrier.
DEVICE void copy_box(unsigned to, const TensorMap &from, Barrier &barrier, int x, int y, int z) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];" ::"r"(to), "l"(&from), "r"(barrier.address()), "r"(x), "r"(y), "r"(z) : "memory");
}

// The same, to the same place in all blocks of a mask, at the barrier of each.
DEVICE void copy_box_to(unsigned to, const TensorMap &from, Barrier &barrier, int x, int y, int z, unsigned short blocks) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4, %5}], [%2], %6;" ::"r"(to), "l"(&from), "r"(barrier.address()), "r"(x), "r"(y), "r"(z), "h"(blocks) : "memory");
}

// Registers of a thread of this group of warps from now on.
template <int COUNT> DEVICE void give_up_registers() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(COUNT)); }
template <int COUNT> DEVICE void take_registers() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(COUNT)); }

// What describes lines of 128 bytes in shared memory, of which groups of 8 lie one after the other,
// as copied with the swizzle of 128 bytes.
DEVICE unsigned long long lines_at(unsigned address) { return (address >> 4 & 0x3fff) | 1ull << 16 | 64ull << 32 | 1ull << 62; }

// Bytes from one step of `multiply_lines` to the next, as descriptions count them.
constexpr int LINE_STEP = 32 / 16;

DEVICE void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
DEVICE void commit_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
// Waits until at most `PENDING` committed groups are under way.
template <int PENDING> DEVICE void wait_for_products() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory"); }

// Begins sums ← a·bᵀ, or sums += a·bᵀ, of 64 lines a and 256 lines b of 32 signed bytes. Thread
// 4·g + t of warp w of the group has the sums of line 16·w + g + 8·h of a and line 8·j + 2·t + i of
// b in sums[4·j + 2·h + i].
DEVICE void multiply_lines(int (&sums)[128], unsigned long long a, unsigned long long b, bool add) {
    asm volatile(
        "{ .reg .pred add; setp.ne.b32 add, %130, 0; wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, "
        "%8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, "
        "%24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, "
        "%40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, "
        "%72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, "
        "%88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, "
        "%104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, "
        "%120, %121, %122, %123, %124, %125, %126, %127}, "
        "%128, %129, add; }"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3]), "+r"(sums[4]), "+r"(sums[5]), "+r"(sums[6]), "+r"(sums[7]),
          "+r"(sums[8]), "+r"(sums[9]), "+r"(sums[10]), "+r"(sums[11]), "+r"(sums[12]), "+r"(sums[13]), "+r"(sums[14]), "+r"(sums[15]),
          "+r"(sums[16]), "+r"(sums[17]), "+r"(sums[18]), "+r"(sums[19]), "+r"(sums[20]), "+r"(sums[21]), "+r"(sums[22]), "+r"(sums[23]),
          "+r"(sums[24]), "+r"(sums[25]), "+r"(sums[26]), "+r"(sums[27]), "+r"(sums[28]), "+r"(sums[29]), "+r"(sums[30]), "+r"(sums[31]),
          "+r"(sums[32]), "+r"(sums[33]), "+r"(sums[34]), "+r"(sums[35]), "+r"(sums[36]), "+r"(sums[37]), "+r"(sums[38]), "+r"(sums[39]),
          "+r"(sums[40]), "+r"(sums[41]), "+r"(sums[42]), "+r"(sums[43]), "+r"(sums[44]), "+r"(sums[45]), "+r"(sums[46]), "+r"(sums[47]),
          "+r"(sums[48]), "+r"(sums[49]), "+r"(sums[50]), "+r"(sums[51]), "+r"(sums[52]), "+r"(sums[53]), "+r"(sums[54]), "+r"(sums[55]),
          "+r"(sums[56]), "+r"(sums[57]), "+r"(sums[58]), "+r"(sums[59]), "+r"(sums[60]), "+r"(sums[61]), "+r"(sums[62]), "+r"(sums[63]),
          "+r"(sums[64]), "+r"(sums[65]), "+r"(sums[66]), "+r"(sums[67]), "+r"(sums[68]), "+r"(sums[69]), "+r"(sums[70]), "+r"(sums[71]),
          "+r"(sums[72]), "+r"(sums[73]), "+r"(sums[74]), "+r"(sums[75]), "+r"(sums[76]), "+r"(sums[77]), "+r"(sums[78]), "+r"(sums[79]),
          "+r"(sums[80]), "+r"(sums[81]), "+r"(sums[82]), "+r"(sums[83]), "+r"(sums[84]), "+r"(sums[85]), "+r"(sums[86]), "+r"(sums[87]),
          "+r"(sums[88]), "+r"(sums[89]), "+r"(sums[90]), "+r"(sums[91]), "+r"(sums[92]), "+r"(sums[93]), "+r"(sums[94]), "+r"(sums[95]),
          "+r"(sums[96]), "+r"(sums[97]), "+r"(sums[98]), "+r"(sums[99]), "+r"(sums[100]), "+r"(sums[101]), "+r"(sums[102]), "+r"(sums[103]),
          "+r"(sums[104]), "+r"(sums[105]), "+r"(sums[106]), "+r"(sums[107]), "+r"(sums[108]), "+r"(sums[109]), "+r"(sums[110]), "+r"(sums[111]),
          "+r"(sums[112]), "+r"(sums[113]), "+r"(sums[114]), "+r"(sums[115]), "+r"(sums[116]), "+r"(sums[117]), "+r"(sums[118]), "+r"(sums[119]),
          "+r"(sums[120]), "+r"(sums[121]), "+r"(sums[122]), "+r"(sums[123]), "+r"(sums[124]), "+r"(sums[125]), "+r"(sums[126]), "+r"(sums[127])
        : "l"(a), "l"(b), "r"((int)add));
}
