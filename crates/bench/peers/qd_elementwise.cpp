// Rates of the QD library (Hida, Li, Bailey; Debian's libqd-dev) on vectors, one thread: CSV rows
// on standard output.
//
//   g++ -O2 -o qd_elementwise qd_elementwise.cpp -lqd
//   ./qd_elementwise [LENGTH [NAME]]
//
// NAME is what the rows call the library. Double-double sums and products are inline functions of
// QD, so the compiler's options matter: `-O3 -march=native -ffp-contract=off` lets it vectorise
// them.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <qd/dd_real.h>
#include <qd/fpu.h>
#include <qd/qd_real.h>

using Clock = std::chrono::steady_clock;

template <class Work> double best_of(Work work) {
  double best = 1e300, total = 0.0;
  for (int runs = 0; runs < 3 || (total < 0.5 && runs < 1000); ++runs) {
    auto start = Clock::now();
    work();
    double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = seconds < best ? seconds : best;
    total += seconds;
  }
  return best;
}

template <class T> T random_number(std::mt19937_64 &random) {
  std::uniform_real_distribution<double> unit(0.5, 1.5);
  T x = 0.0;
  double scale = 1.0;
  for (unsigned limb = 0; limb < sizeof(T) / sizeof(double); ++limb, scale *= 0x1p-53)
    x += T(unit(random)) * scale;
  return x;
}

// The functions have to be found for double as for the QD types.
static double sqr_root(double x) { return std::sqrt(x); }
template <class T> T sqr_root(const T &x) { return sqrt(x); }

template <class T> void measure(const char *library, const char *name, std::size_t n) {
  std::mt19937_64 random(1);
  std::vector<T> x(n), y(n), z(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = random_number<T>(random);
    y[i] = random_number<T>(random);
  }
  auto row = [&](const char *operation, double seconds) {
    std::printf("%s,%s,%s,%zu,1,1,1,%.6e,%.6e,M/s\n", library, name, operation, n, seconds,
                n / seconds / 1e6);
    std::fflush(stdout);
  };
#define MEASURE(operation, expression)                                                             \
  row(operation, best_of([&] {                                                                     \
        for (std::size_t i = 0; i < n; ++i)                                                        \
          z[i] = (expression);                                                                     \
        asm volatile("" : : "r"(z.data()) : "memory");                                             \
      }))
  // `+` is QD's Cray-style addition, without a bound where terms cancel; `ieee_add` is what
  // compares with ours.
  MEASURE("add", x[i] + y[i]);
  MEASURE("add_ieee", T::ieee_add(x[i], y[i]));
  MEASURE("mul", x[i] * y[i]);
  MEASURE("div", x[i] / y[i]);
  MEASURE("sqrt", sqr_root(x[i]));
  MEASURE("exp", exp(x[i]));
  MEASURE("ln", log(x[i]));
  MEASURE("sin", sin(x[i]));
}

int main(int count, char **arguments) {
  std::size_t n = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 4096;
  const char *library = count > 2 ? arguments[2] : "qd";
  unsigned int old;
  fpu_fix_start(&old);
  std::printf("library,precision,operation,m,n,k,threads,seconds,rate,unit\n");
  measure<dd_real>(library, "dd", n);
  measure<qd_real>(library, "qd", n);
  fpu_fix_end(&old);
}
