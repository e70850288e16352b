// How stress follows from strain, in the order of operations of
// crates/fem/src/cpu/{law,hardening,functions}.rs.
#pragma once

#include "fem/scheme.cuh"

namespace fem {

enum LawKind { ELASTIC = 0, TABLE = 1, JOHNSON_COOK = 2, NEO_HOOKEAN = 3 };

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

// The same of pairs, with as many terms as 2^-46 takes.
DEVICE Pair natural_log(Pair x) {
    int e = ((__float_as_int(x.hi) >> 23) & 0xff) - 127;
    if (1.41421356f < __int_as_float((__float_as_int(x.hi) & 0x7fffff) | 0x3f800000)) e++;
    const float unit = __int_as_float((127 - e) << 23);
    const Pair m = {x.hi * unit, x.lo * unit};
    const Pair s = (m + -1.0f) / (m + 1.0f), z = s * s;
    // Terms beyond the first are small: the last of them are rounded to f32.
    float low = 2.0f / 19.0f;
#pragma unroll
    for (int k = 8; k >= 4; k--) low = mul_add(low, z.hi, 2.0f / float(2 * k + 1));
    Pair sum = mul_add(Pair(low), z, Pair(2.0 / 7.0));
    sum = mul_add(sum, z, Pair(2.0 / 5.0));
    sum = mul_add(sum, z, Pair(2.0 / 3.0));
    const Pair series = mul_add(s * z, sum, s + s);
    return mul_add(Pair(float(e)), Pair(0.6931471805599453), series);
}

DEVICE Pair exponential(Pair x) {
    if (x.hi < -80.0f) return Pair(0.0f);
    if (80.0f < x.hi) x = Pair(80.0f);
    const float k = rintf(x.hi * 1.44269504f);
    const Pair r = mul_add(Pair(-k), Pair(0.6931471805599453), x);
    float low = 1.0f / 479001600.0f;
    constexpr double inverses[] = {1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800};
#pragma unroll
    for (int i = 11; i >= 7; i--) low = mul_add(low, r.hi, float(inverses[i]));
    Pair sum = mul_add(Pair(low), r, Pair(inverses[6]));
#pragma unroll
    for (int i = 5; i >= 0; i--) sum = mul_add(sum, r, Pair(inverses[i]));
    const float unit = __int_as_float((int(k) + 127) << 23);
    return {sum.hi * unit, sum.lo * unit};
}

template <class F>
DEVICE F to_power(F x, F n) { return exponential(n * natural_log(x)); }

// In what numbers flow is computed: where constants are pairs, in pairs, but for tables, for which
// f32 is enough if stresses are in f32.
template <int LAW, class A, class C> struct FlowOf { typedef C Number; };
template <> struct FlowOf<TABLE, float, Pair> { typedef float Number; };

// Strains below this are none; Newton's method ends where stresses agree to this part.
template <class F> struct Least;
template <> struct Least<double> { static constexpr double STRAIN = 1e-250, NOISE = 1e-15; };
template <> struct Least<Pair> { static constexpr double STRAIN = 1e-30, NOISE = 1e-13; };
template <> struct Least<float> { static constexpr double STRAIN = 1e-30, NOISE = 1.2e-7; };

template <int LAW, class F>
DEVICE F softening(const Material& material, F temperature) {
    if constexpr (LAW != JOHNSON_COOK) return F(1.0);
    else {
    F theta = (temperature - F(material.transition)) * F(material.range);
    if (theta < F(Least<F>::STRAIN)) return F(1.0);
    if (F(1.0) < theta) return F(0.0);
    return F(1.0) - to_power(theta, F(material.m));
    }
}

template <int LAW, class F>
DEVICE void yield_stress(const Material& material, F p, F step, F rate, F soft, F& stress, F& slope) {
    if constexpr (LAW == TABLE) {
        const C* t = material.table;
        F start = F(t[0]), height = F(t[1]);
        slope = F(0.0);
        for (int k = 0; k < material.points; k++)
            if (!(p < F(t[3 * k]))) start = F(t[3 * k]), height = F(t[3 * k + 1]), slope = F(t[3 * k + 2]);
        stress = mul_add(slope, p - start, height);
    } else {
        F grown = F(0.0), hardening = F(0.0);
        if (!(p < F(Least<F>::STRAIN))) {
            grown = F(material.b) * to_power(p, F(material.n));
            hardening = F(material.n) * grown / p;
        }
        F hard = F(material.a) + grown;
        F relative = step * rate;
        F quick = F(1.0), quickening = F(0.0);
        if (F(1.0) < relative) {
            quick = mul_add(F(material.c), natural_log(relative), F(1.0));
            quickening = F(material.c) / step;
        }
        stress = hard * quick * soft;
        slope = mul_add(hardening, quick, hard * quickening) * soft;
    }
}

// The multiplier by which a trial stress of von Mises comes back to the yield surface: Newton's
// method between bounds.
template <int LAW, class F>
DEVICE_COLD F flow_multiplier(const Material& material, F trial, F p, F dt, F temperature) {
    F soft = softening<LAW>(material, temperature), stress, slope;
    const F rate = LAW == JOHNSON_COOK ? F(1.0) / (dt * F(material.rate)) : F(0.0);
    yield_stress<LAW>(material, p, F(0.0), rate, soft, stress, slope);
    F above = trial - stress;
    if (!(F(0.0) < above)) return F(0.0);
    F stiffness = F(material.triple);
    F low = F(0.0), high = trial / stiffness;
    F first = above / stiffness, step = first < high ? first : high;
    const F near = F(LAW == TABLE ? 0.0 : 1e-9), noise = F(Least<F>::NOISE) * trial;
    for (int k = 0; k < 60; k++) {
        yield_stress<LAW>(material, p + step, step, rate, soft, stress, slope);
        F value = trial - mul_add(stiffness, step, stress);
        if (F(0.0) < value) low = step;
        else high = step;
        if (magnitude(value) < noise) break;
        F newton = step - value / -(stiffness + slope), middle = F(0.5) * (low + high);
        F next = low < newton ? newton : middle;
        next = next < high ? next : middle;
        bool is_near = magnitude(next - step) < near * next;
        step = next;
        if (is_near) break;
    }
    return step;
}

// x^(−⅓)
DEVICE double inverse_cube_root(double x) { return to_power(x, -1.0 / 3.0); }
DEVICE Pair inverse_cube_root(Pair x) { return to_power(x, Pair(-1.0 / 3.0)); }
DEVICE float inverse_cube_root(float x) { return float(inverse_cube_root(Pair(x))); }

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

// What 1 + D, such as a rotation, does to a symmetric tensor.
template <class S>
DEVICE Symmetric<S> rotated(const Symmetric<S>& s, const M3<S>& d) {
    M3<S> m = product(d, full(s));
    Symmetric<S> last = symmetric_product(m, d);
    return Symmetric<S>{{m[0][0] + m[0][0] + last[0], m[1][1] + m[1][1] + last[1], m[2][2] + m[2][2] + last[2],
                         m[0][1] + m[1][0] + last[3], m[1][2] + m[2][1] + last[4], m[0][2] + m[2][0] + last[5]}};
}

// What happens to a point in a step: the velocity gradient of the whole step half way, R − 1 of its
// rotation, its length; the volume half way, and the mass; for neo-Hookean solids the volume at the
// end over that at the beginning of all.
template <class A, class C>
struct Motion {
    M3<A> gradient, turn;
    C dt;
    A volume, mass, expansion;
};

// What a step changes: stress before, its increment, the strain; plastic work of a unit of volume;
// the modulus of compression waves.
template <class A>
struct Change {
    Symmetric<A> before, stress, strain;
    A plastic_work, modulus;
};

// Takes a point through a step.
template <int LAW, class A, class C, class Memory>
DEVICE Change<A> follow(const Material& material, Memory numbers, const Motion<A, C>& motion) {
    Change<A> change;
    const M3<A>& gradient = motion.gradient;
    change.strain = strain_of(gradient);
#pragma unroll
    for (int k = 0; k < 6; k++) change.before[k] = numbers.load(k);
    change.plastic_work = A(0);
    change.modulus = A(material.elastic);
    if (LAW != NEO_HOOKEAN) {
        Symmetric<A> strain = change.strain;
        if (LAW != ELASTIC && material.strained >= 0) {
            A thermal = A(material.expansion) * numbers.difference(material.temperature, material.strained);
#pragma unroll
            for (int k = 0; k < 3; k++) strain[k] = strain[k] - thermal;
            numbers.copy(material.temperature, material.strained);
        }
        A volumetric = times(material.lambda, strain[0] + strain[1] + strain[2]);
        Symmetric<A> direct, half;
#pragma unroll
        for (int k = 0; k < 6; k++) {
            direct[k] = times(material.mu, strain[k]);
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
            typedef typename FlowOf<LAW, A, C>::Number F;
            A multiplier = A(flow_multiplier<LAW>(material, F(equivalent), F(p), F(motion.dt), F(warmth)));
            A drop = A(material.triple) * multiplier;
            const A some = greater(equivalent, A(1.17549435e-38f));
            A factor = drop / some;
            // Of the stress before the part along the flow.
            const A along = A(1.5) * (contraction(change.before, shape) / some);
#pragma unroll
            for (int k = 0; k < 6; k++) change.stress[k] = mul_add(-factor, shape[k], change.stress[k]);
            numbers.grow(material.plastic_strain, p, multiplier);
            change.plastic_work = greater(A(0.5) * (along + (equivalent - drop)), A(0)) * multiplier;
            if (material.heats)
                numbers.grow_by_product(material.temperature, warmth, A(material.heating) * motion.volume / motion.mass, change.plastic_work);
        }
    } else {
        Symmetric<A> old;
#pragma unroll
        for (int k = 0; k < 6; k++) old[k] = numbers.load(material.stretch + k);
        const A expansion = motion.expansion;
        // f − 1 = (1 − ½L)⁻¹·L
        M3<A> low;
#pragma unroll
        for (int i = 0; i < 3; i++)
#pragma unroll
            for (int j = 0; j < 3; j++) {
                A l = gradient[i][j];
                low[i][j] = i == j ? mul_add(A(-0.5), l, A(1)) : A(-0.5) * l;
            }
        V3<A> column[3] = {cross(low[1], low[2]), cross(low[2], low[0]), cross(low[0], low[1])};
        A inverse = A(1) / dot(low[0], column[0]);
        M3<A> adjugate;
#pragma unroll
        for (int i = 0; i < 3; i++)
#pragma unroll
            for (int j = 0; j < 3; j++) adjugate[i][j] = inverse * column[j][i];
        const Symmetric<A> more = rotated(old, product(adjugate, gradient));
        Symmetric<A> b;
#pragma unroll
        for (int k = 0; k < 6; k++) {
            numbers.grow(material.stretch + k, old[k], more[k]);
            b[k] = old[k] + more[k];
        }
        M3<A> rows = full(b);
        A scaled = inverse_cube_root(dot(rows[0], cross(rows[1], rows[2])));
        const A bulk = A(material.bulk);
        A factor = A(material.mu) * scaled / expansion;
        A trace = b[0] + b[1] + b[2], mean;
        Symmetric<A> shape = deviator(b, mean);
        A pressure = bulk * (expansion - A(1));
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
        A modulus = mul_add(A(2) * bulk, expansion, shear - bulk);
        change.modulus = greater(modulus, bulk);
    }
#pragma unroll
    for (int k = 0; k < 6; k++) numbers.grow(k, change.before[k], change.stress[k]);
    return change;
}

} // namespace fem
