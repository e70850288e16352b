// Evolutions as chains that run here: threads do not know of each other.
//
// Compile with PRECISION as the kernel is.

#include "threads.h"

#define __global__
#define __launch_bounds__(...)

#include "option/evolve.cu"

// What the test hands over: as the kernel has it, and how many threads and blocks.
struct Launch {
    const Tile *tiles;
    const Stage *stages;
    const double *input;
    double *u, *work;
    const double *numbers;
    const int *firsts;
    unsigned *contacts, *failed;
    long long in_work, threads, blocks;
};

extern "C" void evolve_blocks(const Launch *l) {
    for (int i = 0; i < l->blocks; i++) {
        for (int thread = 0; thread < l->threads; thread++) {
            blockIdx = {i, 0}, threadIdx = {thread, 0};
            evolve(
                l->tiles, l->stages, l->input, l->u, l->work, l->numbers, l->firsts, l->contacts,
                l->failed, 0
            );
        }
    }
}
