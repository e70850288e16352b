// Threads of a block, on the host: contexts that take turns. Whatever they do together begins with
// waiting for one another.
#pragma once

#include "shim.h"

#include <functional>
#include <ucontext.h>
#include <vector>

static struct {
    int x, y;
} threadIdx, blockIdx, blockDim;

static struct {
    ucontext_t host;
    std::vector<ucontext_t> threads;
    std::vector<char> done;
    int running;
    std::function<void()> kernel;
    std::vector<char> stacks;
} block;

// Lets the other threads come to the same place.
static void wait_for_block() {
    const int own = block.running;
    swapcontext(&block.threads[own], &block.host);
    threadIdx = {own, 0};
}

static void run_thread() {
    block.kernel();
    block.done[block.running] = true;
}

// Calls `kernel` as each thread of a block of `count` threads.
static void run_block(int count, std::function<void()> kernel) {
    constexpr size_t STACK = 1 << 18;
    blockDim = {count, 1};
    block.kernel = kernel;
    block.threads.resize(count), block.done.assign(count, false),
        block.stacks.resize(count * STACK);
    for (int i = 0; i < count; i++) {
        ucontext_t &thread = block.threads[i];
        getcontext(&thread);
        thread.uc_stack.ss_sp = block.stacks.data() + i * STACK;
        thread.uc_stack.ss_size = STACK;
        thread.uc_link = &block.host;
        makecontext(&thread, run_thread, 0);
    }
    for (bool all_done = false; !all_done;) {
        all_done = true;
        for (int i = 0; i < count; i++) {
            if (block.done[i]) continue;
            all_done = false, block.running = i, threadIdx = {i, 0};
            swapcontext(&block.host, &block.threads[i]);
        }
    }
}
