// max_i |B − A·X|_ij for each j, from products A·X in numbers of any precision; B is of limbs.

#include "mp/sum.cuh"
#include "num/scale.cuh"

#include "arguments.cuh"

#include "mp/entries.cuh"

using mp::Operand;
using mp::Short;
using mp::Word;

// |b − x| in f64, for a b in limbs: words and head of x become those of the difference.
DEVICE double difference(const Residuals &p, Operand x, Word *words, long long i, long long j) {
    x.head ^= 1;
    for (long long l = 0; l < p.limbs; l++) {
        double limb = l == 0 && i == j ? 1.0 : 0.0;
        if (p.b) limb = p.b[i + j * p.column + l * p.plane];
        const Short b(limb, 0);
        x = {words, (int)p.product.count, mp::add(x, b.operand(), (int)p.product.bits, (int)p.product.count, words)};
    }
    if (x.code() > mp::GREATEST) return __hiloint2double(0x7ff00000, 0);
    return x.is_number() ? ldexp_f64(Lane(mp::leading(x)), max(x.code() - 64, -3000)).value : 0.0;
}

// Blocks for each column of the product, which are those of B from `first` on.
extern "C" __global__ void __launch_bounds__(RESIDUAL_THREADS) largest_residuals(const __grid_constant__ Residuals p) {
    __shared__ double parts[RESIDUAL_THREADS];
    Word words[mp::MOST_WORDS];
    const long long j = blockIdx.x;
    double largest = 0.0;
    for (long long i = threadIdx.x; i < p.product.rows; i += RESIDUAL_THREADS) {
        const double found = difference(p, mp::at(p.product, i, j), words, i, p.first + j);
        largest = found <= largest ? largest : found;
    }
    parts[threadIdx.x] = largest;
    for (int half = RESIDUAL_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half) parts[threadIdx.x] = fmax(parts[threadIdx.x], parts[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) p.largest[p.first + j] = parts[0];
}
