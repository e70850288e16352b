// What nodes and elements tell each other.
#pragma once

#include "fem/vector.cuh"

namespace fem {

// A force on a node; of f32 four numbers, which are written and read at once.
template <class T> struct Force {
    V3<T> of;
};
template <> struct alignas(16) Force<float> {
    V3<float> of;
    float unused = 0.0f;
};

// What elements see of a node whose place and step are pairs: where it is half way through the step
// under way, and what it moves by in it. Parts are read by quarters and eighths.
struct alignas(16) Row {
    float4 place;
    float2 place_rest, step;
    float4 step_rest;

    DEVICE static Row of(const V3<Pair>& place, const V3<Pair>& step) {
        return {{place[0].hi, place[1].hi, place[2].hi, place[0].lo}, {place[1].lo, place[2].lo}, {step[0].hi, step[1].hi}, {step[2].hi, step[0].lo, step[1].lo, step[2].lo}};
    }
    // Places, or steps, and what they have beyond an f32.
    DEVICE void read(bool is_step, V3<float>& x, V3<float>& rest) const {
        if (is_step) {
            const float2 a = step;
            const float4 b = step_rest;
            x = {{a.x, a.y, b.x}}, rest = {{b.y, b.z, b.w}};
        } else {
            const float4 a = place;
            const float2 b = place_rest;
            x = {{a.x, a.y, a.z}}, rest = {{a.w, b.x, b.y}};
        }
    }
};
constexpr int QUADS = sizeof(Row) / 16;

// Rows of all nodes: the first 16 bytes of each, then the second ones, then the third.
DEVICE void put_row(float4* rows, size_t count, size_t node, const Row& row) {
    rows[node] = row.place;
    rows[count + node] = {row.place_rest.x, row.place_rest.y, row.step.x, row.step.y};
    rows[2 * count + node] = row.step_rest;
}

} // namespace fem
