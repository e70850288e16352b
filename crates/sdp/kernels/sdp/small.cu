// Squares of few rows of semidefinite programs, one after the other in a column: a block of threads
// for each.

#include "sdp/cone.cuh"

#include "arguments.cuh"

// Rows of a square at the most.
constexpr int ORDER = CONE_ORDER;

DEVICE Matrix square_of(const Matrix &column, const Square &s) { return square_at(column, s.offset, s.order); }

// The squares of a block of threads.
template <class Visit> DEVICE void each_square(const Small &p, Visit visit) {
    for (long long number = blockIdx.x; number < p.count; number += gridDim.x) {
        visit(p.squares[number]);
        __syncthreads();
    }
}

// The entries of a thread.
template <class Visit> DEVICE void each_entry(const Square &s, Visit visit) {
    for (unsigned at = threadIdx.x; at < s.order * s.order; at += THREADS) visit(at % s.order, at / s.order);
}

// x + sum of term(sum, k) for k from first up to end.
template <class Term> DEVICE Number sum_of(const Number &x, unsigned first, unsigned end, Term term) {
    Sum sum = sum_from(x);
    unsigned steps = 0;
#pragma unroll 1
    for (unsigned k = first; k < end; k++) {
        term(sum, k);
        if (CARRIES && ++steps == PERIOD) sum.carry(), steps = 0;
    }
    return total(sum);
}

// C <- alpha * A * B + beta * C
extern "C" __global__ void __launch_bounds__(THREADS) small_multiply(const __grid_constant__ Small p) {
    each_square(p, [&](const Square &s) {
        const Matrix a = square_of(p.a, s), b = square_of(p.b, s), c = square_of(p.c, s);
        each_entry(s, [&](unsigned i, unsigned j) {
            const Number sum = sum_of(zero(), 0, s.order, [&](Sum &sum, unsigned k) { sum.add_product(a.load(i, k), b.load(k, j)); });
            combine(p.alpha, sum, p.beta, c, i, j);
        });
    });
}

// C <- (C + C^T) / 2
extern "C" __global__ void __launch_bounds__(THREADS) small_symmetrize(const __grid_constant__ Small p) {
    each_square(p, [&](const Square &s) {
        const Matrix c = square_of(p.c, s);
        each_entry(s, [&](unsigned i, unsigned j) {
            if (i >= j) return;
            const Number mean = halved(c.load(i, j) + c.load(j, i));
            c.store(i, j, mean);
            c.store(j, i, mean);
        });
    });
}

// C <- alpha * I
extern "C" __global__ void __launch_bounds__(THREADS) small_identity(const __grid_constant__ Small p) {
    each_square(p, [&](const Square &s) {
        const Matrix c = square_of(p.c, s);
        each_entry(s, [&](unsigned i, unsigned j) { c.store(i, j, i == j ? p.alpha.value() : zero()); });
    });
}

// C <- L, where A = L L^T, column by column.
extern "C" __global__ void __launch_bounds__(THREADS) small_factor(const __grid_constant__ Small p) {
    each_square(p, [&](const Square &s) {
        const Matrix a = square_of(p.a, s), l = square_of(p.c, s);
        each_entry(s, [&](unsigned i, unsigned j) {
            if (i < j) l.store(i, j, zero());
        });
        for (unsigned j = 0; j < s.order; j++) {
            for (unsigned i = j + threadIdx.x; i < s.order; i += THREADS) {
                l.store(i, j, sum_of(a.load(i, j), 0, j, [&](Sum &sum, unsigned k) { sum.add_product(-l.load(i, k), l.load(j, k)); }));
            }
            __syncthreads();
            const Number pivot = l.load(j, j);
            __syncthreads();
            if (!is_pivot(pivot)) {
                if (threadIdx.x == 0) *p.failed = 1;
                break;
            }
            const Number root = square_root(pivot);
            for (unsigned i = j + threadIdx.x; i < s.order; i += THREADS) l.store(i, j, i == j ? root : l.load(i, j) / root);
            __syncthreads();
        }
    });
}

// C <- A^-1 for a factor A, a thread for each column.
extern "C" __global__ void __launch_bounds__(THREADS) small_invert(const __grid_constant__ Small p) {
    each_square(p, [&](const Square &s) {
        const Matrix l = square_of(p.a, s), m = square_of(p.c, s);
        for (unsigned j = threadIdx.x; j < s.order; j += THREADS) {
            for (unsigned i = 0; i < j; i++) m.store(i, j, zero());
            for (unsigned i = j; i < s.order; i++) {
                const Number sum = sum_of(one_if(i == j), j, i, [&](Sum &sum, unsigned k) { sum.add_product(-l.load(i, k), m.load(k, j)); });
                m.store(i, j, sum / l.load(i, i));
            }
        }
    });
}

// C <- A^T * A for the inverse A of a factor.
extern "C" __global__ void __launch_bounds__(THREADS) small_gram(const __grid_constant__ Small p) {
    each_square(p, [&](const Square &s) {
        const Matrix m = square_of(p.a, s), c = square_of(p.c, s);
        each_entry(s, [&](unsigned i, unsigned j) {
            if (i < j) return;
            const Number sum = sum_of(zero(), i, s.order, [&](Sum &sum, unsigned k) { sum.add_product(m.load(k, i), m.load(k, j)); });
            c.store(i, j, sum);
            c.store(j, i, sum);
        });
    });
}

// w <- M * A * M^T * q for a lower triangular M and a symmetric A.
extern "C" __global__ void __launch_bounds__(THREADS) small_congruence(const __grid_constant__ Congruence p) {
    __shared__ Number x[ORDER], y[ORDER];
    for (long long number = blockIdx.x; number < p.count; number += gridDim.x) {
        const Square s = p.squares[number];
        const Matrix m = square_of(p.m, s), a = square_of(p.a, s);
        for (unsigned i = threadIdx.x; i < s.order; i += THREADS) x[i] = p.q.load(s.row + i, 0);
        __syncthreads();
        for (unsigned i = threadIdx.x; i < s.order; i += THREADS)
            y[i] = sum_of(zero(), i, s.order, [&](Sum &sum, unsigned k) { sum.add_product(m.load(k, i), x[k]); });
        __syncthreads();
        for (unsigned i = threadIdx.x; i < s.order; i += THREADS)
            x[i] = sum_of(zero(), 0, s.order, [&](Sum &sum, unsigned k) { sum.add_product(a.load(i, k), y[k]); });
        __syncthreads();
        for (unsigned i = threadIdx.x; i < s.order; i += THREADS)
            p.w.store(s.row + i, 0, sum_of(zero(), 0, i + 1, [&](Sum &sum, unsigned k) { sum.add_product(m.load(i, k), x[k]); }));
        __syncthreads();
    }
}
