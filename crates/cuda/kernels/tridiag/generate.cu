// The coefficients of a batch of tridiagonal systems by the function `form`, which stands in front
// of this.

extern "C" __global__ void __launch_bounds__(256) generate(const __grid_constant__ Batch batch) {
    const long long count = batch.systems * batch.size, step = (long long)gridDim.x * blockDim.x;
    for (long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x; t < count; t += step) {
        // Neighbouring threads write neighbouring numbers.
        const bool by_rows = batch.row == 1;
        const long long s = by_rows ? t / batch.size : t % batch.systems, i = by_rows ? t % batch.size : t / batch.systems;
        double lower = 0.0, diagonal = 0.0, upper = 0.0, right = 0.0;
        form(s, i, batch.systems, batch.size, lower, diagonal, upper, right);
        const long long at = index_of(batch, s, i);
        store(batch.lower, at, batch.plane, number(lower));
        store(batch.diagonal, at, batch.plane, number(diagonal));
        store(batch.upper, at, batch.plane, number(upper));
        store(batch.right, at, batch.plane, number(right));
    }
}
