// How stress follows from strain, in the order of operations of crates/linalg/src/cpu/solid/{law,hardening,functions}.rs.
#pragma once

#include "fem_vector.cuh"

namespace fem {

enum LawKind { ELASTIC = 0, TABLE = 1, JOHNSON_COOK = 2, NEO_HOOKEAN = 3 };

struct Material {
    double density, lambda, mu, expansion, heating;
    // Of Johnson and Cook.
    double a, b, n, c, rate, m, melting, transition;
    // Of a table: plastic strains, stresses and slopes.
    const double* table;
    int points;
    // Places of numbers that points remember, or -1.
    int numbers, plastic_strain, temperature, strained, stretch;
};

DEVICE double natural_log(double x) {
    int e;
    double m = frexp(x, &e) * 2.0;
    double exponent = double(e - 1);
    if (1.4142135623730951 < m) {
        m = 0.5 * m;
        exponent = exponent + 1.0;
    }
    double s = (m - 1.0) / (m + 1.0), z = s * s;
    double sum = 2.0 / 23.0;
#pragma unroll
    for (int k = 10; k >= 1; k--) sum = mul_add(sum, z, 2.0 / double(2 * k + 1));
    double series = mul_add(s * z, sum, s + s);
    return mul_add(exponent, 0.6931471803691238, mul_add(exponent, 1.9082149292705877e-10, series));
}

DEVICE double exponential(double x) {
    bool is_tiny = x < -700.0;
    x = is_tiny ? -700.0 : x;
    x = 700.0 < x ? 700.0 : x;
    double k = rint(x * 1.4426950408889634);
    double r = mul_add(-k, 1.9082149292705877e-10, mul_add(-k, 0.6931471803691238, x));
    double sum = 1.0;
#pragma unroll
    for (int i = 14; i >= 1; i--) sum = mul_add(sum * r, 1.0 / double(i), 1.0);
    return is_tiny ? 0.0 : ldexp(sum, int(k));
}

DEVICE double to_power(double x, double n) { return exponential(n * natural_log(x)); }

constexpr double TINY_STRAIN = 1e-250;

template <int LAW>
DEVICE double softening(const Material& material, double temperature) {
    if (LAW != JOHNSON_COOK) return 1.0;
    double theta = (temperature - material.transition) * (1.0 / (material.melting - material.transition));
    if (theta < TINY_STRAIN) return 1.0;
    if (1.0 < theta) return 0.0;
    return 1.0 - to_power(theta, material.m);
}

template <int LAW>
DEVICE void yield_stress(const Material& material, double p, double step, double dt, double soft, double& stress, double& slope) {
    if (LAW == TABLE) {
        const double* t = material.table;
        double start = t[0], height = t[1];
        slope = 0.0;
        for (int k = 0; k < material.points; k++)
            if (!(p < t[3 * k])) start = t[3 * k], height = t[3 * k + 1], slope = t[3 * k + 2];
        stress = mul_add(slope, p - start, height);
    } else {
        double grown = 0.0, hardening = 0.0;
        if (!(p < TINY_STRAIN)) {
            grown = material.b * to_power(p, material.n);
            hardening = material.n * grown / p;
        }
        double hard = material.a + grown;
        double relative = step * (1.0 / (dt * material.rate));
        double quick = 1.0, quickening = 0.0;
        if (1.0 < relative) {
            quick = mul_add(material.c, natural_log(relative), 1.0);
            quickening = material.c / step;
        }
        stress = hard * quick * soft;
        slope = mul_add(hardening, quick, hard * quickening) * soft;
    }
}

// The multiplier by which a trial stress of von Mises comes back to the yield surface: Newton's method between bounds.
template <int LAW>
DEVICE_COLD double flow_multiplier(const Material& material, double trial, double p, double dt, double temperature) {
    double soft = softening<LAW>(material, temperature), stress, slope;
    yield_stress<LAW>(material, p, 0.0, dt, soft, stress, slope);
    double above = trial - stress;
    if (!(0.0 < above)) return 0.0;
    double stiffness = 3.0 * material.mu;
    double low = 0.0, high = trial / stiffness;
    double first = above / stiffness, step = first < high ? first : high;
    const double near = LAW == TABLE ? 0.0 : 1e-9, noise = 1e-15 * trial;
    for (int k = 0; k < 60; k++) {
        yield_stress<LAW>(material, p + step, step, dt, soft, stress, slope);
        double value = trial - mul_add(stiffness, step, stress);
        if (0.0 < value) low = step;
        else high = step;
        if (fabs(value) < noise) break;
        double newton = step - value / -(stiffness + slope), middle = 0.5 * (low + high);
        double next = low < newton ? newton : middle;
        next = next < high ? next : middle;
        bool is_near = fabs(next - step) < near * next;
        step = next;
        if (is_near) break;
    }
    return step;
}

template <class T>
DEVICE Symmetric<T> strain_of(const M3<T>& l) {
    const T half = T(0.5);
    return Symmetric<T>{{l[0][0], l[1][1], l[2][2], half * (l[0][1] + l[1][0]), half * (l[1][2] + l[2][1]),
                         half * (l[0][2] + l[2][0])}};
}

// R − 1 of a gradient's spin, by Cayley's formula.
template <class S>
DEVICE M3<S> rotation(const M3<S>& l) {
    const S half = S(0.5), zero = S(0);
    const V3<S> w = {{half * (l[2][1] - l[1][2]), half * (l[0][2] - l[2][0]), half * (l[1][0] - l[0][1])}};
    S square = dot(w, w);
    S factor = S(1) / mul_add(S(0.25), square, S(1));
    M3<S> skew = {{V3<S>{{zero, -w[2], w[1]}}, V3<S>{{w[2], zero, -w[0]}}, V3<S>{{-w[1], w[0], zero}}}};
    M3<S> r;
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int j = 0; j < 3; j++) {
            S product = i == j ? mul_add(w[i], w[j], -square) : w[i] * w[j];
            r[i][j] = factor * mul_add(half, product, skew[i][j]);
        }
    return r;
}

// What a rotation 1 + D does to a symmetric tensor.
template <class S>
DEVICE Symmetric<S> rotated(const Symmetric<S>& s, const M3<S>& d) {
    M3<S> m = product(d, full(s));
    Symmetric<S> last = symmetric_product(m, d);
    return Symmetric<S>{{m[0][0] + m[0][0] + last[0], m[1][1] + m[1][1] + last[1], m[2][2] + m[2][2] + last[2],
                         m[0][1] + m[1][0] + last[3], m[1][2] + m[2][1] + last[4], m[0][2] + m[2][0] + last[5]}};
}

// Numbers that an element remembers, STRIDE from one to the next: where they are read, and where they are written.
template <class T, int STRIDE>
struct Slots {
    const T* from;
    T* to;
    DEVICE T load(int k) const { return from[k * STRIDE]; }
    DEVICE void store(int k, T x) const { to[k * STRIDE] = x; }
    // Those from number k on.
    DEVICE Slots beyond(int k) const { return {from + k * STRIDE, to + k * STRIDE}; }
};

// What happens to a point in a step: the velocity gradient of the whole step half way, R − 1 of its rotation, its length; the volume half way, and the mass; for neo-Hookean solids the volume at the end over that at the beginning of all.
template <class A>
struct Motion {
    M3<A> gradient, turn;
    double dt;
    A volume, mass, expansion;
};

// What a step changes: stress before, its increment, the strain; plastic work of a unit of volume; the modulus of compression waves.
template <class A>
struct Change {
    Symmetric<A> before, stress, strain;
    A plastic_work, modulus;
};

// Takes a point through a step.
template <int LAW, class A, class Memory>
DEVICE Change<A> follow(const Material& material, Memory numbers, const Motion<A>& motion) {
    Change<A> change;
    const M3<A>& gradient = motion.gradient;
    change.strain = strain_of(gradient);
#pragma unroll
    for (int k = 0; k < 6; k++) change.before[k] = numbers.load(k);
    change.plastic_work = A(0);
    change.modulus = A(material.lambda + 2.0 * material.mu);
    if (LAW != NEO_HOOKEAN) {
        Symmetric<A> strain = change.strain;
        if (LAW != ELASTIC && material.strained >= 0) {
            A temperature = numbers.load(material.temperature);
            A thermal = A(material.expansion) * (temperature - numbers.load(material.strained));
#pragma unroll
            for (int k = 0; k < 3; k++) strain[k] = strain[k] - thermal;
            numbers.store(material.strained, temperature);
        }
        A mu = A(material.mu), volumetric = A(material.lambda) * (strain[0] + strain[1] + strain[2]);
        Symmetric<A> direct, half;
#pragma unroll
        for (int k = 0; k < 6; k++) {
            direct[k] = mu * strain[k];
            half[k] = change.before[k] + direct[k];
        }
        Symmetric<A> turned = rotated(half, motion.turn);
#pragma unroll
        for (int k = 0; k < 6; k++) {
            A both = direct[k] + direct[k] + turned[k];
            change.stress[k] = k < 3 ? both + volumetric : both;
        }
        if (LAW != ELASTIC) {
            Symmetric<A> trial;
#pragma unroll
            for (int k = 0; k < 6; k++) trial[k] = change.before[k] + change.stress[k];
            A mean;
            Symmetric<A> shape = deviator(trial, mean);
            A normal = mul_add(shape[0], shape[0], mul_add(shape[1], shape[1], shape[2] * shape[2]));
            A shear = mul_add(shape[3], shape[3], mul_add(shape[4], shape[4], shape[5] * shape[5]));
            A equivalent = root(mul_add(A(1.5), normal, A(3.0) * shear));
            A p = numbers.load(material.plastic_strain);
            A warmth = material.temperature >= 0 ? numbers.load(material.temperature) : A(0);
            A multiplier = A(flow_multiplier<LAW>(material, double(equivalent), double(p), motion.dt, double(warmth)));
            A drop = A(3.0 * material.mu) * multiplier;
            const A some = greater(equivalent, A(1.17549435e-38f));
            A factor = drop / some;
            // Of the stress before the part along the flow.
            const A along = A(1.5) * (contraction(change.before, shape) / some);
#pragma unroll
            for (int k = 0; k < 6; k++) change.stress[k] = mul_add(-factor, shape[k], change.stress[k]);
            numbers.store(material.plastic_strain, p + multiplier);
            change.plastic_work = greater(A(0.5) * (along + (equivalent - drop)), A(0)) * multiplier;
            if (material.heating != 0.0)
                numbers.store(material.temperature,
                              mul_add(A(material.heating) * motion.volume / motion.mass, change.plastic_work, warmth));
        }
    } else {
        Symmetric<A> old;
#pragma unroll
        for (int k = 0; k < 6; k++) old[k] = numbers.load(material.stretch + k);
        const A expansion = motion.expansion;
        M3<A> low, high;
#pragma unroll
        for (int i = 0; i < 3; i++)
#pragma unroll
            for (int j = 0; j < 3; j++) {
                A l = gradient[i][j];
                low[i][j] = i == j ? mul_add(A(-0.5), l, A(1)) : A(-0.5) * l;
                high[i][j] = i == j ? mul_add(A(0.5), l, A(1)) : A(0.5) * l;
            }
        V3<A> column[3] = {cross(low[1], low[2]), cross(low[2], low[0]), cross(low[0], low[1])};
        A inverse = A(1) / dot(low[0], column[0]);
        M3<A> adjugate;
#pragma unroll
        for (int i = 0; i < 3; i++)
#pragma unroll
            for (int j = 0; j < 3; j++) adjugate[i][j] = inverse * column[j][i];
        M3<A> f = product(adjugate, high);
        Symmetric<A> b = symmetric_product(product(f, full(old)), f);
#pragma unroll
        for (int k = 0; k < 6; k++) numbers.store(material.stretch + k, b[k]);
        M3<A> rows = full(b);
        A scaled = A(to_power(double(dot(rows[0], cross(rows[1], rows[2]))), -1.0 / 3.0));
        double bulk = material.lambda + 2.0 / 3.0 * material.mu;
        A factor = A(material.mu) * scaled / expansion;
        A trace = b[0] + b[1] + b[2], mean;
        Symmetric<A> shape = deviator(b, mean);
        A pressure = A(bulk) * (expansion - A(1));
#pragma unroll
        for (int k = 0; k < 6; k++) {
            A after = k < 3 ? mul_add(factor, shape[k], pressure) : factor * shape[k];
            change.stress[k] = after - change.before[k];
        }
        A greatest = A(0);
#pragma unroll
        for (int i = 0; i < 3; i++)
            greatest = greater(greatest, magnitude(rows[i][0]) + magnitude(rows[i][1]) + magnitude(rows[i][2]));
        A shear = factor * mul_add(A(4.0 / 3.0), greatest, A(2.0 / 9.0) * trace);
        A modulus = mul_add(A(2.0 * bulk), expansion, shear - A(bulk));
        change.modulus = greater(modulus, A(bulk));
    }
#pragma unroll
    for (int k = 0; k < 6; k++) numbers.store(k, change.before[k] + change.stress[k]);
    return change;
}

} // namespace fem
