// What certified solvers ask of matrices of numbers of any precision, and of f64:
// crates/linalg/src/certified/machine.rs.

#include "dense/entries.cuh"
#include "mp/sum.cuh"

#include "arguments.cuh"

#include "mp/entries.cuh"
#include "mp/magnitude.cuh"

using mp::at;
using mp::leading;
using mp::Operand;
using mp::set_head;
using mp::Short;
using mp::Word;
using mp::words_at;

DEVICE Magnitude upper_bound(const Operand &x) {
    if (!x.is_number()) return x.code() > mp::GREATEST ? bound::infinite() : Magnitude{0.0, 0};
    return bound::make(__dmul_rn(leading(x), bound::UP), x.code() - 64ll);
}

DEVICE Magnitude lower_bound(const Operand &x) {
    if (!x.is_number()) return {0.0, 0};
    return bound::make(__dmul_rn(leading(x), 1.0 - 2.0 * bound::EPSILON), x.code() - 64ll);
}

// A number times 2^shift in f64; 0 below 2^-381.
DEVICE double to_double(const Operand &x, long long shift) {
    const long long e = x.code() + shift;
    if (x.code() < -mp::GREATEST || e <= -381) return 0.0;
    const double value = e > 1024 ? __hiloint2double(0x7ff00000, 0) : __dmul_rn(leading(x), bound::power_of_two((int)e - 64));
    return x.is_negative() ? -value : value;
}

extern "C" __global__ void round_numbers(const __grid_constant__ Pair p) {
    for_each(p.to.rows, p.to.cols, [&](long long i, long long j) {
        const Operand nothing = {nullptr, 0, mp::head(mp::ZERO, false)};
        set_head(p.to, i, j, mp::add(at(p.from, i, j), nothing, (int)p.to.bits, (int)p.to.count, words_at(p.to, i, j)));
    });
}

extern "C" __global__ void subtract(const __grid_constant__ Difference p) {
    for_each(p.to.rows, p.to.cols, [&](long long i, long long j) {
        Operand b = at(p.b, i, j);
        b.head ^= 1;
        set_head(p.to, i, j, mp::add(at(p.a, i, j), b, (int)p.to.bits, (int)p.to.count, words_at(p.to, i, j)));
    });
}

constexpr int SIDE = 32, STEP = 8;

// The transpose of a matrix of f64, by squares.
extern "C" __global__ void __launch_bounds__(SIDE * STEP) widen(const __grid_constant__ Conversion p) {
    __shared__ double square[SIDE][SIDE + 1];
    const long long first_row = (long long)blockIdx.x * SIDE, first_column = (long long)blockIdx.y * SIDE;
    const int across = threadIdx.x % SIDE, down = threadIdx.x / SIDE;
    for (int j = down; j < SIDE; j += STEP)
        if (first_row + across < p.matrix.rows && first_column + j < p.matrix.cols) square[j][across] = *p.matrix.at(first_row + across, first_column + j);
    __syncthreads();
    for (int i = down; i < SIDE; i += STEP) {
        if (first_row + i >= p.matrix.rows || first_column + across >= p.matrix.cols) continue;
        const Short x(square[across][i], 0);
        const long long row = first_column + across, column = first_row + i;
        Word *words = words_at(p.numbers, row, column);
        for (long long q = 0; q + 1 < p.numbers.count; q++) words[q] = 0;
        words[p.numbers.count - 1] = x.word;
        set_head(p.numbers, row, column, x.head);
    }
}

// The transpose in f64.
extern "C" __global__ void __launch_bounds__(SIDE * STEP) nearest(const __grid_constant__ Conversion p) {
    __shared__ double square[SIDE][SIDE + 1];
    const long long first_row = (long long)blockIdx.x * SIDE, first_column = (long long)blockIdx.y * SIDE;
    const int across = threadIdx.x % SIDE, down = threadIdx.x / SIDE;
    for (int j = down; j < SIDE; j += STEP)
        if (first_row + across < p.numbers.rows && first_column + j < p.numbers.cols)
            square[j][across] = to_double(at(p.numbers, first_row + across, first_column + j), 0);
    __syncthreads();
    for (int i = down; i < SIDE; i += STEP)
        if (first_row + i < p.numbers.rows && first_column + across < p.numbers.cols)
            *p.matrix.at(first_column + across, first_row + i) = square[across][i];
}

extern "C" __global__ void move_columns(const __grid_constant__ Places p) {
    for_each(p.from.rows, p.from.cols, [&](long long i, long long j) { *p.to.at(i, p.places[j]) = *p.from.at(i, j); });
}

extern "C" __global__ void scale_columns(const __grid_constant__ Conversion p) {
    for_each(p.numbers.rows, p.numbers.cols, [&](long long i, long long j) { *p.matrix.at(i, j) = to_double(at(p.numbers, i, j), -p.exponents[j]); });
}

// Reductions over a column, by one block for each.
constexpr int THREADS = 256;

template <class T, class Join> DEVICE T join_all(T *shared, T mine, Join join) {
    __syncthreads();
    shared[threadIdx.x] = mine;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half) shared[threadIdx.x] = join(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
    __syncthreads();
    return shared[0];
}

extern "C" __global__ void __launch_bounds__(THREADS) column_sums(const __grid_constant__ Sums p) {
    __shared__ int codes[THREADS];
    __shared__ double parts[THREADS];
    __shared__ Word words[mp::MOST_WORDS];
    __shared__ int diagonal;
    // The row of the one in this column of the identity.
    const long long j = blockIdx.x, unit = p.diagonal + j;
    const bool defects = p.diagonal >= 0;
    if (defects && unit < p.numbers.rows && threadIdx.x == 0) {
        const Short one(1.0, 0);
        Operand x = at(p.numbers, unit, j);
        x.head ^= 1;
        diagonal = mp::add(one.operand(), x, (int)p.numbers.bits, (int)p.numbers.count, words);
    }
    __syncthreads();
    // Entry i of the column; that on the diagonal of I − A was rounded once, which doubling covers.
    auto entry = [&](long long i) { return defects && i == unit ? Operand{words, (int)p.numbers.count, diagonal} : at(p.numbers, i, j); };
    int largest = mp::ZERO;
    for (long long i = threadIdx.x; i < p.numbers.rows; i += THREADS) largest = max(largest, entry(i).code());
    largest = join_all(codes, largest, [](int x, int y) { return max(x, y); });
    double sum = 0.0;
    for (long long i = threadIdx.x; i < p.numbers.rows; i += THREADS) {
        const Operand x = entry(i);
        if (!x.is_number()) {
            if (x.code() > mp::GREATEST) sum = __hiloint2double(0x7ff00000, 0);
            continue;
        }
        const double m = __dmul_rn(leading(x), bound::power_of_two(max(x.code() - 64 - largest, -900)));
        sum = __fma_rn(m, defects ? (i == unit ? 2.0 : 1.0) : p.weights[i], sum);
    }
    sum = join_all(parts, sum, [](double x, double y) { return __dadd_rn(x, y); });
    if (threadIdx.x == 0) p.sums[j] = {sum, largest};
}

extern "C" __global__ void __launch_bounds__(THREADS) column_codes(const __grid_constant__ Codes p) {
    __shared__ int codes[THREADS];
    const long long j = blockIdx.x;
    int largest = mp::ZERO;
    for (long long i = threadIdx.x; i < p.numbers.rows; i += THREADS) largest = max(largest, mp::head_at(p.numbers, i, j) >> 1);
    largest = join_all(codes, largest, [](int x, int y) { return max(x, y); });
    if (threadIdx.x == 0) p.codes[j] = largest;
}

template <class Entry> DEVICE void sum_rows(const Rows &p, Entry entry) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * p.chunk;
    if (i >= p.matrix.rows) return;
    double sum = 0.0;
    for (long long j = first; j < min(first + p.chunk, p.matrix.cols); j++) sum = __dadd_rn(sum, entry(i, j));
    p.sums[blockIdx.y * p.matrix.rows + i] = sum;
}

extern "C" __global__ void row_sums(const __grid_constant__ Rows p) {
    sum_rows(p, [&](long long i, long long j) { return __dmul_rn(fabs(*p.matrix.at(i, j)), p.weights[j]); });
}

extern "C" __global__ void row_defects(const __grid_constant__ Rows p) {
    sum_rows(p, [&](long long i, long long j) { return fabs(__dsub_rn(p.first + i == j ? 1.0 : 0.0, *p.matrix.at(i, j))); });
}

// The largest magnitude of each column; infinite where there is a NaN.
extern "C" __global__ void __launch_bounds__(THREADS) column_maxima(const __grid_constant__ Maxima p) {
    __shared__ double parts[THREADS];
    double largest = 0.0;
    for (long long i = threadIdx.x; i < p.matrix.rows; i += THREADS) {
        const double x = fabs(*p.matrix.at(i, blockIdx.x));
        largest = x <= largest ? largest : x == x ? x : __hiloint2double(0x7ff00000, 0);
    }
    largest = join_all(parts, largest, [](double x, double y) { return x < y ? y : x; });
    if (threadIdx.x == 0) p.maxima[blockIdx.x] = largest;
}

DEVICE void judge(const Correction &p, long long i, long long j, Magnitude added, const Operand &y, Judged &judged) {
    using namespace bound;
    const Magnitude size = upper_bound(y), least = lower_bound(y);
    const Magnitude noise = plus(times(p.row_sums[i], p.noise[j]), p.floors[j]), share = times(make(p.shares[i], 0), p.reach[j]);
    const Magnitude error = plus(plus(noise, share), shifted(plus(size, added), -p.y.bits));
    const Magnitude written = plus(error, shifted(size, 2 - p.result_bits));
    const Magnitude relative = written.m == 0.0 ? written : over_difference(written, least, error);
    const Magnitude scaled = shifted(written, p.scales[i]);
    judged.worst = greater(judged.worst, relative);
    judged.error = greater(judged.error, scaled);
    if (less(p.tolerance, relative)) {
        judged.open = greater(judged.open, scaled);
        judged.bounded |= is_finite(relative.m) ? 1 : 0;
    }
    judged.least = greater(judged.least, shifted(above_by(least, error), p.scales[i]));
    judged.largest = greater(judged.largest, plus(size, error));
}

extern "C" __global__ void __launch_bounds__(THREADS) correct(const __grid_constant__ Correction p) {
    __shared__ Judged all[THREADS];
    const long long j = blockIdx.x;
    Judged mine = {};
    for (long long i = (long long)blockIdx.y * THREADS + threadIdx.x; i < p.y.rows; i += (long long)gridDim.y * THREADS) {
        const Short converted(p.in_f64 ? *p.z.at(i, j) : 0.0, p.in_f64 ? p.exponents[j] : 0);
        const Operand z = p.in_f64 ? converted.operand() : at(p.numbers, i, j);
        Word *to = words_at(p.y, i, j);
        const int head = mp::add(at(p.y, i, j), z, (int)p.y.bits, (int)p.y.count, to);
        set_head(p.y, i, j, head);
        judge(p, i, j, upper_bound(z), {to, (int)p.y.count, head}, mine);
    }
    const Judged found = join_all(all, mine, [](const Judged &x, const Judged &y) {
        using bound::greater;
        return Judged{greater(x.worst, y.worst), greater(x.error, y.error), greater(x.open, y.open), greater(x.least, y.least), greater(x.largest, y.largest), x.bounded | y.bounded};
    });
    if (threadIdx.x == 0) p.judged[j * gridDim.y + blockIdx.y] = found;
}
