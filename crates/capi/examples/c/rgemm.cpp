// A program for MPLAPACK that only includes another header: a product, LU factors and eigenvalues
// in double-double, and a Cholesky factor in quad-double.
//
// c++ rgemm.cpp $(pkg-config --cflags --libs nonius) && ./a.out
#include <cmath>
#include <cstdio>
#include <vector>

#include <nonius_mplapack.hpp>

int main() {
    mplapackint const n = 3;
    // Column by column; the entries of the product exceed a double's 53 bits.
    std::vector<dd_real> a(n * n), b(n * n), c(n * n, dd_real(7.0));
    for (mplapackint j = 0; j < n; j++) {
        for (mplapackint i = 0; i < n; i++) {
            a[i + j * n] = dd_real(9007199254740881.0 + i);
            b[i + j * n] = dd_real(9007199254740847.0 + j);
        }
    }
    Rgemm("n", "N", n, n, n, dd_real(1.0), a.data(), n, b.data(), n, dd_real(0.0), c.data(), n);
    // 3 * 9007199254740881 * 9007199254740847 = 243388915243813127558339374398621
    double const high = 243388915243813127558339374398621.0, low = 48285.0;
    std::printf("c(0, 0)       %.17g + %.17g\n", c[0].x[0], c[0].x[1]);
    if (c[0].x[0] != high || c[0].x[1] != low) {
        return 1;
    }

    // The second difference of order 3 has the eigenvalues 2 - sqrt(2), 2 and 2 + sqrt(2).
    std::vector<dd_real> t = {2.0, -1.0, 0.0, -1.0, 2.0, -1.0, 0.0, -1.0, 2.0}, w(n), work(1);
    mplapackint info = 0;
    Rsyev("V", "L", n, t.data(), n, w.data(), work.data(), -1, info);
    work.resize(static_cast<std::size_t>(work[0].x[0]));
    mplapackint const lwork = static_cast<mplapackint>(work.size());
    Rsyev("V", "L", n, t.data(), n, w.data(), work.data(), lwork, info);
    std::printf("eigenvalues   %.17g %.17g %.17g\n", w[0].x[0], w[1].x[0], w[2].x[0]);
    // The doubles nearest to sqrt(2), and to what is left.
    double const root = 1.4142135623730951, rest = -9.667293313452913e-17;
    double const error = (w[2].x[0] - 2.0 - root) + (w[2].x[1] - rest);
    if (info != 0 || std::fabs(error) > 1e-30) {
        return 2;
    }

    std::vector<qd_real> p = {qd_real(4.0), qd_real(2.0), qd_real(-1.0), qd_real(10.0)};
    Rpotrf("L", 2, p.data(), 2, info);
    std::printf("factor        %g %g %g\n", p[0].x[0], p[1].x[0], p[3].x[0]);
    // The upper triangle stays as it was.
    if (info != 0 || p[0].x[0] != 2.0 || p[1].x[0] != 1.0 || p[2].x[0] != -1.0 ||
        p[3].x[0] != 3.0) {
        return 3;
    }

    try {
        Rgemm("N", "N", 2, 2, 2, qd_real(1.0), p.data(), 1, p.data(), 2, qd_real(0.0), p.data(), 2);
    } catch (std::invalid_argument const &error) {
        std::printf("lda too small %s\n", error.what());
        return 0;
    }
    return 4;
}
