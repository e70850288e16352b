// The dense routines of MPLAPACK by their own names, for the dd_real and qd_real of the QD library:
// a program that includes this header in place of mpblas_dd.h, mplapack_dd.h, mpblas_qd.h and
// mplapack_qd.h compiles as it is, and is linked with -lnonius in place of MPLAPACK's libraries.
//
// The routines are Rgemm, Rsyrk, Rtrsm, Rpotrf, Rpotrs, Rposv, Rgetrf, Rgetrs, Rgesv and Rsyev. What
// each reads, writes and returns in info is in nonius.h. Rgemm, Rsyrk and Rtrsm have no info: they
// throw std::invalid_argument for an argument that they do not take, and std::runtime_error for any
// other failure.
//
// The header of the QD library is taken where the compiler finds it. Elsewhere, and where
// NONIUS_WITHOUT_QD is defined, dd_real and qd_real are plain structures of two and four doubles
// without arithmetic. A program with types of its own of this layout defines NONIUS_OWN_TYPES.
#ifndef NONIUS_MPLAPACK_HPP
#define NONIUS_MPLAPACK_HPP

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "nonius.h"

#if !defined NONIUS_OWN_TYPES
#if defined __has_include && !defined NONIUS_WITHOUT_QD
#if __has_include(<qd/qd_real.h>)
#include <qd/dd_real.h>
#include <qd/qd_real.h>
#define NONIUS_HAS_QD 1
#endif
#endif
#if !defined NONIUS_HAS_QD
struct dd_real {
    double x[2];
    dd_real() = default;
    dd_real(double value) : x{value, 0.0} {}
    dd_real(double high, double low) : x{high, low} {}
};
struct qd_real {
    double x[4];
    qd_real() = default;
    qd_real(double value) : x{value, 0.0, 0.0, 0.0} {}
    qd_real(double x0, double x1, double x2, double x3) : x{x0, x1, x2, x3} {}
};
#endif
#endif

typedef std::int64_t mplapackint;

namespace nonius_detail {

template <class To, class From> To bits_of(From const &from) {
    static_assert(sizeof(To) == sizeof(From), "a number consists of its doubles alone");
    static_assert(std::is_standard_layout<From>::value, "the doubles come first");
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

inline nonius_dd value(dd_real const &x) { return bits_of<nonius_dd>(x); }
inline nonius_qd value(qd_real const &x) { return bits_of<nonius_qd>(x); }
inline nonius_dd *array(dd_real *x) { return reinterpret_cast<nonius_dd *>(x); }
inline nonius_qd *array(qd_real *x) { return reinterpret_cast<nonius_qd *>(x); }

inline void raise(std::int64_t info) {
    if (info == NONIUS_INFO_FAILURE) {
        throw std::runtime_error(nonius_last_error());
    }
    if (info != 0) {
        throw std::invalid_argument(nonius_last_error());
    }
}

} // namespace nonius_detail

// The overloads for one type of numbers.
#define NONIUS_ROUTINES(real, kind)                                                                \
    inline void Rgemm(const char *transa, const char *transb, mplapackint const m,                 \
                      mplapackint const n, mplapackint const k, real const alpha, real *a,         \
                      mplapackint const lda, real *b, mplapackint const ldb, real const beta,      \
                      real *c, mplapackint const ldc) {                                            \
        using namespace nonius_detail;                                                             \
        raise(nonius_##kind##_Rgemm(transa, transb, m, n, k, value(alpha), array(a), lda,          \
                                    array(b), ldb, value(beta), array(c), ldc));                   \
    }                                                                                              \
    inline void Rsyrk(const char *uplo, const char *trans, mplapackint const n,                    \
                      mplapackint const k, real const alpha, real *a, mplapackint const lda,       \
                      real const beta, real *c, mplapackint const ldc) {                           \
        using namespace nonius_detail;                                                             \
        raise(nonius_##kind##_Rsyrk(uplo, trans, n, k, value(alpha), array(a), lda, value(beta),   \
                                    array(c), ldc));                                               \
    }                                                                                              \
    inline void Rtrsm(const char *side, const char *uplo, const char *transa, const char *diag,    \
                      mplapackint const m, mplapackint const n, real const alpha, real *a,         \
                      mplapackint const lda, real *b, mplapackint const ldb) {                     \
        using namespace nonius_detail;                                                             \
        raise(nonius_##kind##_Rtrsm(side, uplo, transa, diag, m, n, value(alpha), array(a), lda,   \
                                    array(b), ldb));                                               \
    }                                                                                              \
    inline void Rpotrf(const char *uplo, mplapackint const n, real *a, mplapackint const lda,      \
                       mplapackint &info) {                                                        \
        info = nonius_##kind##_Rpotrf(uplo, n, nonius_detail::array(a), lda, nullptr);             \
    }                                                                                              \
    inline void Rpotrs(const char *uplo, mplapackint const n, mplapackint const nrhs, real *a,     \
                       mplapackint const lda, real *b, mplapackint const ldb,                      \
                       mplapackint &info) {                                                        \
        using namespace nonius_detail;                                                             \
        info = nonius_##kind##_Rpotrs(uplo, n, nrhs, array(a), lda, array(b), ldb, nullptr);       \
    }                                                                                              \
    inline void Rposv(const char *uplo, mplapackint const n, mplapackint const nrhs, real *a,      \
                      mplapackint const lda, real *b, mplapackint const ldb,                       \
                      mplapackint &info) {                                                         \
        using namespace nonius_detail;                                                             \
        info = nonius_##kind##_Rposv(uplo, n, nrhs, array(a), lda, array(b), ldb, nullptr);        \
    }                                                                                              \
    inline void Rgetrf(mplapackint const m, mplapackint const n, real *a, mplapackint const lda,   \
                       mplapackint *ipiv, mplapackint &info) {                                     \
        info = nonius_##kind##_Rgetrf(m, n, nonius_detail::array(a), lda, ipiv, nullptr);          \
    }                                                                                              \
    inline void Rgetrs(const char *trans, mplapackint const n, mplapackint const nrhs, real *a,    \
                       mplapackint const lda, mplapackint *ipiv, real *b, mplapackint const ldb,   \
                       mplapackint &info) {                                                        \
        using namespace nonius_detail;                                                             \
        info =                                                                                     \
            nonius_##kind##_Rgetrs(trans, n, nrhs, array(a), lda, ipiv, array(b), ldb, nullptr);   \
    }                                                                                              \
    inline void Rgesv(mplapackint const n, mplapackint const nrhs, real *a,                        \
                      mplapackint const lda, mplapackint *ipiv, real *b, mplapackint const ldb,    \
                      mplapackint &info) {                                                         \
        using namespace nonius_detail;                                                             \
        info = nonius_##kind##_Rgesv(n, nrhs, array(a), lda, ipiv, array(b), ldb, nullptr);        \
    }                                                                                              \
    inline void Rsyev(const char *jobz, const char *uplo, mplapackint const n, real *a,            \
                      mplapackint const lda, real *w, real *work, mplapackint const lwork,         \
                      mplapackint &info) {                                                         \
        using namespace nonius_detail;                                                             \
        info = nonius_##kind##_Rsyev(jobz, uplo, n, array(a), lda, array(w), array(work), lwork,   \
                                     nullptr);                                                     \
    }

NONIUS_ROUTINES(dd_real, dd)
NONIUS_ROUTINES(qd_real, qd)

#undef NONIUS_ROUTINES

#endif
