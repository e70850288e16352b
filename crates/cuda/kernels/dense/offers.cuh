// What blocks of one kernel offer each other, where all of them run at the same time (a cooperative
// launch).
//
// Everything goes in packets of 16 bytes that say in which turn they were written. A packet is
// written and read as a whole, so that nobody has to wait until other writes have arrived.
#pragma once

#include "num/lane.cuh"

// Zeros before the first turn.
struct __align__(16) Packet {
    unsigned long long data, tail;
};

DEVICE void publish(Packet *to, unsigned long long data, unsigned long long tail) {
    asm volatile("{ .reg .b128 x; mov.b128 x, {%1, %2}; st.relaxed.gpu.global.b128 [%0], x; }" ::"l"(to), "l"(data), "l"(tail) : "memory");
}

DEVICE Packet peek(const Packet *from) {
    Packet packet;
    asm volatile("{ .reg .b128 x; ld.relaxed.gpu.global.b128 x, [%2]; mov.b128 {%0, %1}, x; }" : "=l"(packet.data), "=l"(packet.tail) : "l"(from) : "memory");
    return packet;
}

// A size and a place.
struct Offer {
    unsigned long long size;
    unsigned place;
};

DEVICE void publish_offer(Packet *to, const Offer &offer, unsigned turn) { publish(to, offer.size, offer.place | (unsigned long long)turn << 32); }

DEVICE Offer await_offer(const Packet *from, unsigned turn) {
    Packet packet;
    do packet = peek(from);
    while ((unsigned)(packet.tail >> 32) != turn);
    return {packet.data, (unsigned)packet.tail};
}

DEVICE void publish_number(Packet *to, double x, unsigned turn) { publish(to, (unsigned long long)__double_as_longlong(x), turn); }

DEVICE double await_number(const Packet *from, unsigned turn) {
    Packet packet;
    do packet = peek(from);
    while (packet.tail != turn);
    return __longlong_as_double((long long)packet.data);
}

// Of a warp: the largest size, of equals the one with the lowest place, and the first lane that has
// it.
DEVICE int best_of_warp(Offer &offer) {
    const unsigned all = 0xffffffffu, high = (unsigned)(offer.size >> 32), low = (unsigned)offer.size;
    const unsigned best_high = __reduce_max_sync(all, high);
    const unsigned best_low = __reduce_max_sync(all, high == best_high ? low : 0);
    const bool best = high == best_high && low == best_low;
    const unsigned first = __reduce_min_sync(all, best ? offer.place : all);
    const int owner = __ffs(__ballot_sync(all, best && offer.place == first)) - 1;
    offer = {(unsigned long long)best_high << 32 | best_low, first};
    return owner;
}

DEVICE bool wins(const Offer &offer, const Offer &other) {
    return offer.size > other.size || (offer.size == other.size && offer.place < other.place);
}

// The best offer of every warp of a block of THREADS threads.
template <int THREADS> struct Best {
    Offer offers[THREADS / 32];
    int owners[THREADS / 32];

    // The best of all threads, known to all of them; returns the number of the thread that has it.
    DEVICE int of_block(Offer &offer) {
        const int warp = threadIdx.x / 32, lane = best_of_warp(offer);
        if (threadIdx.x % 32 == 0) offers[warp] = offer, owners[warp] = warp * 32 + lane;
        __syncthreads();
        offer = offers[0];
        int owner = owners[0];
#pragma unroll
        for (int w = 1; w < THREADS / 32; w++) {
            const Offer other = offers[w];
            if (wins(other, offer)) offer = other, owner = owners[w];
        }
        return owner;
    }
};
