/*
 * Nonius: linear algebra at the precision you ask for.
 *
 * Status.     Every function returns a nonius_status, but for those that only name or free
 *             something. NONIUS_STATUS_OK is 0. On any other status no output is written but where
 *             a function says so, and nonius_last_error() tells the cause in one sentence.
 * Pointers.   An array has as many elements as its function says, a text ends with a zero. NULL is
 *             refused, but where a function says what it means.
 * Ownership.  The caller owns each handle that a function puts into an output, and gives it back
 *             to the function that ends in _free, once. Inputs are never kept: the caller may free
 *             or change them as soon as a function has returned.
 * Threads.    Functions may be called from any thread. A handle may be read by several threads at
 *             a time; a function that changes or frees it must be alone. The last error, the
 *             device and the number of threads belong to the calling thread.
 * Matrices    lie column by column. Rows and columns count from 0.
 */

#ifndef NONIUS_H
#define NONIUS_H

/* Made from the sources by `cargo xtask capi`: do not edit. */

#include <stddef.h>
#include <stdint.h>

/*
 What `info` is where neither an argument nor a pivot is to blame: nonius_last_error() says what.
 */
#define NONIUS_INFO_FAILURE -1000

/*
 Double precision: 53 bits.
 */
#define NONIUS_F64 53

/*
 Double-double: 104 bits, two doubles.
 */
#define NONIUS_DD 104

/*
 Triple-double: 156 bits, three doubles.
 */
#define NONIUS_TD 156

/*
 Quad-double: 208 bits, four doubles.
 */
#define NONIUS_QD 208

/*
 Any precision: the sum of this number and the bits, from 64 to 4096.
 */
#define NONIUS_MP 65536

/*
 The matrix X of a point, of the primal program.
 */
#define NONIUS_PRIMAL 0

/*
 The matrix Y of a point, of the dual program.
 */
#define NONIUS_DUAL 1

/*
 Conjugate gradients, for symmetric positive definite matrices.
 */
#define NONIUS_CG 0

/*
 MINRES, for symmetric matrices.
 */
#define NONIUS_MINRES 1

/*
 BiCGSTAB, for any square matrix.
 */
#define NONIUS_BICGSTAB 2

/*
 GMRES with cycles of 50 iterations, for any square matrix.
 */
#define NONIUS_GMRES 3

/*
 How a call ended.
 */
typedef enum nonius_status {
  /*
   All is done.
   */
  NONIUS_STATUS_OK = 0,
  /*
   A pointer is null or not aligned.
   */
  NONIUS_STATUS_POINTER = 1,
  /*
   An argument has a value that the function does not take.
   */
  NONIUS_STATUS_ARGUMENT = 2,
  /*
   Shapes do not fit, or an index lies outside.
   */
  NONIUS_STATUS_SHAPE = 3,
  /*
   Numbers of different precisions, or of one that does not exist.
   */
  NONIUS_STATUS_PRECISION = 4,
  /*
   A text is no number, no program or no file that can be read.
   */
  NONIUS_STATUS_TEXT = 5,
  /*
   The numbers do not allow an answer: a singular matrix, one that is not positive definite,
   digits that cannot be proved.
   */
  NONIUS_STATUS_NUMBERS = 6,
  /*
   There is not enough memory.
   */
  NONIUS_STATUS_MEMORY = 7,
  /*
   The device cannot be had, or failed.
   */
  NONIUS_STATUS_DEVICE = 8,
  /*
   The text needs more room: its length is written all the same.
   */
  NONIUS_STATUS_ROOM = 9,
  /*
   A fault of the library.
   */
  NONIUS_STATUS_INTERNAL = 10,
} nonius_status;

/*
 LU or Cholesky factors of a square matrix.
 */
typedef struct nonius_factors nonius_factors;

/*
 A dense matrix of one precision.
 */
typedef struct nonius_matrix nonius_matrix;

/*
 What a solver found: x, X and Y, and what is known of them.
 */
typedef struct nonius_sdp_point nonius_sdp_point;

/*
 A semidefinite program: minimise c·x where X = Σ xᵢ·Fᵢ − F₀ is positive semidefinite, and its
 dual: maximise F₀•Y where Fᵢ•Y = cᵢ and Y is positive semidefinite.
 */
typedef struct nonius_sdp nonius_sdp;

/*
 What is proved of a program.
 */
typedef struct nonius_sdp_proof nonius_sdp_proof;

/*
 A sparse matrix.
 */
typedef struct nonius_sparse nonius_sparse;

/*
 How good a result is, and where it was computed. A number that is not known is NaN.
 */
typedef struct nonius_report {
  /*
   Decimal digits of the largest entries that should be right; an estimate.
   */
  double correct_digits;
  /*
   Residual beside the data: the backward error of a solution.
   */
  double relative_residual;
  /*
   Estimate of the condition number.
   */
  double condition_estimate;
  /*
   A proved bound of the relative error of each entry, where digits were asked for.
   */
  double error_bound;
  /*
   Digits that are proved; 0 where none were asked for.
   */
  uint32_t digits_proved;
  /*
   1 where the result is exact, else 0.
   */
  int32_t is_exact;
  /*
   The number of the GPU, -1 for the CPU, -2 for all GPUs.
   */
  int32_t device;
  /*
   1 where matrices were in the host's memory, because the GPU's was too small, else 0.
   */
  int32_t out_of_core;
} nonius_report;

/*
 Two doubles whose sum is the number, the larger one first, as in a `dd_real` of the QD library.
 */
typedef struct nonius_dd {
  /*
   The doubles. They do not overlap.
   */
  double x[2];
} nonius_dd;

/*
 Four doubles whose sum is the number, the largest first, as in a `qd_real` of the QD library.
 */
typedef struct nonius_qd {
  /*
   The doubles. They do not overlap.
   */
  double x[4];
} nonius_qd;

/*
 How far an iteration came.
 */
typedef struct nonius_iteration {
  /*
   How many iterations there were.
   */
  uint64_t iterations;
  /*
   1 where the residual became as small as it was asked to be, else 0.
   */
  int32_t converged;
  /*
   The number of the GPU, -1 for the CPU, -2 for all GPUs.
   */
  int32_t device;
  /*
   The norm of the residual that the iteration updated, beside that of the first.
   */
  double recursive_residual;
  /*
   The norm of b − A·x, beside that of the first residual.
   */
  double true_residual;
} nonius_iteration;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The product of two matrices of one precision, each transposed where its flag is not 0.
 */
enum nonius_status nonius_multiply(const struct nonius_matrix *a,
                                   int32_t transpose_a,
                                   const struct nonius_matrix *b,
                                   int32_t transpose_b,
                                   struct nonius_matrix **product);

/*
 Solves A·X = B with a square matrix in the precision of both. The report, which may be NULL,
 estimates how many digits are correct.
 */
enum nonius_status nonius_solve(const struct nonius_matrix *a,
                                const struct nonius_matrix *b,
                                struct nonius_matrix **x,
                                struct nonius_report *report);

/*
 Solves A·X = B so that every entry of X has proved digits, 1000 at most. The entries of A and B
 count as exact. X has as many bits as the digits take.
 */
enum nonius_status nonius_solve_digits(const struct nonius_matrix *a,
                                       const struct nonius_matrix *b,
                                       uint32_t digits,
                                       struct nonius_matrix **x,
                                       struct nonius_report *report);

/*
 The inverse of a square matrix. The report may be NULL.
 */
enum nonius_status nonius_inverse(const struct nonius_matrix *a,
                                  struct nonius_matrix **inverse,
                                  struct nonius_report *report);

/*
 X with the least ‖B − A·X‖₂; where A has fewer rows than columns, the shortest solution of
 A·X = B. The report may be NULL.
 */
enum nonius_status nonius_least_squares(const struct nonius_matrix *a,
                                        const struct nonius_matrix *b,
                                        struct nonius_matrix **x,
                                        struct nonius_report *report);

/*
 The determinant of a square matrix as decimal text, which may exceed the range of doubles. The
 buffer is as in nonius_matrix_decimal. The report may be NULL.
 */
enum nonius_status nonius_determinant(const struct nonius_matrix *a,
                                      char *buffer,
                                      size_t capacity,
                                      size_t *length,
                                      struct nonius_report *report);

/*
 The determinant of a square matrix with proved digits, 1000 at most, as decimal text. The
 entries count as exact. The buffer is as in nonius_matrix_decimal. The report may be NULL.
 */
enum nonius_status nonius_determinant_digits(const struct nonius_matrix *a,
                                             uint32_t digits,
                                             char *buffer,
                                             size_t capacity,
                                             size_t *length,
                                             struct nonius_report *report);

/*
 The eigenvalues of a symmetric matrix in ascending order, as a column; unless `vectors` is NULL
 the eigenvectors too, as the columns of a matrix. The report may be NULL.
 */
enum nonius_status nonius_eigenvalues(const struct nonius_matrix *a,
                                      struct nonius_matrix **values,
                                      struct nonius_matrix **vectors,
                                      struct nonius_report *report);

/*
 The singular values of a matrix in descending order, as a column; unless `u` and `v` are NULL
 the singular vectors too, as the columns of U and V with A = U·S·Vᵀ. The report may be NULL.
 */
enum nonius_status nonius_singular_values(const struct nonius_matrix *a,
                                          struct nonius_matrix **values,
                                          struct nonius_matrix **u,
                                          struct nonius_matrix **v,
                                          struct nonius_report *report);

/*
 LU factors of a square matrix with partial pivoting, on the CPU.
 */
enum nonius_status nonius_lu(const struct nonius_matrix *a, struct nonius_factors **factors);

/*
 The Cholesky factor of a symmetric positive definite matrix, of which the lower triangle alone
 is read, on the CPU.
 */
enum nonius_status nonius_cholesky(const struct nonius_matrix *a, struct nonius_factors **factors);

/*
 Solves A·X = B by the factors of A, in the precision of both.
 */
enum nonius_status nonius_factors_solve(const struct nonius_factors *factors,
                                        const struct nonius_matrix *b,
                                        struct nonius_matrix **x);

/*
 Frees factors. NULL is none.
 */
void nonius_factors_free(struct nonius_factors *factors);

/*
 Frees a matrix. NULL is none.
 */
void nonius_matrix_free(struct nonius_matrix *matrix);

/*
 A matrix of zeros.
 */
enum nonius_status nonius_matrix_zeros(uint32_t precision,
                                       size_t rows,
                                       size_t cols,
                                       struct nonius_matrix **matrix);

/*
 A matrix of doubles, which every precision holds exactly. Entry (i, j) is `data[i + j*stride]`;
 the stride is at least the number of rows.
 */
enum nonius_status nonius_matrix_from_doubles(uint32_t precision,
                                              size_t rows,
                                              size_t cols,
                                              const double *data,
                                              size_t stride,
                                              struct nonius_matrix **matrix);

/*
 A matrix whose entry (i, j) is the exact sum of the doubles `data[limbs*(i + j*rows)]` and the
 following ones, `limbs` in all, rounded once. Arrays of dd_real and qd_real of the QD library
 have this form, with 2 and 4 limbs.
 */
enum nonius_status nonius_matrix_from_limbs(uint32_t precision,
                                            size_t rows,
                                            size_t cols,
                                            const double *data,
                                            size_t limbs,
                                            struct nonius_matrix **matrix);

/*
 A matrix whose entry (i, j) is the number nearest to the decimal text `texts[i + j*rows]`, such
 as `0.1` or `-2.5e-3`.
 */
enum nonius_status nonius_matrix_from_decimals(uint32_t precision,
                                               size_t rows,
                                               size_t cols,
                                               const char *const *texts,
                                               struct nonius_matrix **matrix);

/*
 A copy of a matrix, its entries rounded to a precision.
 */
enum nonius_status nonius_matrix_convert(const struct nonius_matrix *matrix,
                                         uint32_t precision,
                                         struct nonius_matrix **converted);

/*
 The numbers of rows and columns; either pointer may be NULL.
 */
enum nonius_status nonius_matrix_shape(const struct nonius_matrix *matrix,
                                       size_t *rows,
                                       size_t *cols);

/*
 The precision: NONIUS_F64, NONIUS_DD, NONIUS_TD, NONIUS_QD, or NONIUS_MP + bits.
 */
enum nonius_status nonius_matrix_precision(const struct nonius_matrix *matrix, uint32_t *precision);

/*
 Replaces entry (row, col) by the number nearest to a decimal text.
 */
enum nonius_status nonius_matrix_set(struct nonius_matrix *matrix,
                                     size_t row,
                                     size_t col,
                                     const char *decimal);

/*
 Replaces entry (row, col) by a double.
 */
enum nonius_status nonius_matrix_set_double(struct nonius_matrix *matrix,
                                            size_t row,
                                            size_t col,
                                            double value);

/*
 Writes the doubles nearest to all entries: entry (i, j) to `data[i + j*stride]`. The stride is
 at least the number of rows; what lies between the columns stays as it is.
 */
enum nonius_status nonius_matrix_to_doubles(const struct nonius_matrix *matrix,
                                            double *data,
                                            size_t stride);

/*
 Writes each entry as doubles: entry (i, j) to `data[limbs*(i + j*rows)]` and the following ones,
 `limbs` in all. The first is the double nearest to the entry, each further one the double
 nearest to what those before it leave. With 2, 3 and 4 limbs dd, td and qd numbers are written
 exactly.
 */
enum nonius_status nonius_matrix_to_limbs(const struct nonius_matrix *matrix,
                                          double *data,
                                          size_t limbs);

/*
 Writes entry (row, col) as decimal text into a buffer of `capacity` bytes, with a zero at its
 end: with this many significant digits, rounded correctly, or for 0 digits the shortest text
 that reads back as the same number.

 `length`, which may be NULL, gets the number of bytes without the zero. With too small a buffer
 the status is NONIUS_STATUS_ROOM, and only the length is written; a capacity of 0 asks for it.
 */
enum nonius_status nonius_matrix_decimal(const struct nonius_matrix *matrix,
                                         size_t row,
                                         size_t col,
                                         uint32_t digits,
                                         char *buffer,
                                         size_t capacity,
                                         size_t *length);

/*
 C ← α·op(A)·op(B) + β·C, where op(A) is m × k, op(B) is k × n, and op is nothing for N, the
 transpose for T and C. With β = 0 C is not read, with α = 0 neither A nor B.
 */
int64_t nonius_dd_Rgemm(const char *transa,
                        const char *transb,
                        int64_t m,
                        int64_t n,
                        int64_t k,
                        struct nonius_dd alpha,
                        const struct nonius_dd *a,
                        int64_t lda,
                        const struct nonius_dd *b,
                        int64_t ldb,
                        struct nonius_dd beta,
                        struct nonius_dd *c,
                        int64_t ldc);

/*
 One triangle, U or L, of C ← α·op(A)·op(A)ᵀ + β·C, where C is n × n and op(A) is n × k. The
 other triangle of C is neither read nor written.
 */
int64_t nonius_dd_Rsyrk(const char *uplo,
                        const char *trans,
                        int64_t n,
                        int64_t k,
                        struct nonius_dd alpha,
                        const struct nonius_dd *a,
                        int64_t lda,
                        struct nonius_dd beta,
                        struct nonius_dd *c,
                        int64_t ldc);

/*
 B ← α·op(A)⁻¹·B for side L, or α·B·op(A)⁻¹ for side R, where B is m × n and A a triangle, U or
 L, whose diagonal is not read but taken as ones where diag is U. The other triangle is not read.
 */
int64_t nonius_dd_Rtrsm(const char *side,
                        const char *uplo,
                        const char *transa,
                        const char *diag,
                        int64_t m,
                        int64_t n,
                        struct nonius_dd alpha,
                        const struct nonius_dd *a,
                        int64_t lda,
                        struct nonius_dd *b,
                        int64_t ldb);

/*
 The Cholesky factor of a symmetric positive definite matrix in the place of its triangle: L with
 A = L·Lᵀ, or U with A = Uᵀ·U. A positive info is the order of the leading square that is not
 positive definite; A is then as it was.
 */
int64_t nonius_dd_Rpotrf(const char *uplo,
                         int64_t n,
                         struct nonius_dd *a,
                         int64_t lda,
                         int64_t *info);

/*
 The solution of A·X = B, in the place of B, by the factor that Rpotrf left in a triangle.
 */
int64_t nonius_dd_Rpotrs(const char *uplo,
                         int64_t n,
                         int64_t nrhs,
                         const struct nonius_dd *a,
                         int64_t lda,
                         struct nonius_dd *b,
                         int64_t ldb,
                         int64_t *info);

/*
 Rpotrf and Rpotrs in one. With a positive info A and B are as they were.
 */
int64_t nonius_dd_Rposv(const char *uplo,
                        int64_t n,
                        int64_t nrhs,
                        struct nonius_dd *a,
                        int64_t lda,
                        struct nonius_dd *b,
                        int64_t ldb,
                        int64_t *info);

/*
 LU factors of an m × n matrix with partial pivoting, in its place: L, whose diagonal of ones is
 not stored, and U. Row i was exchanged with row ipiv[i - 1], for i from 1 to the lesser of m and
 n. A positive info is the first column whose pivot is zero; the factors are complete all the
 same. A number that is not finite counts as an illegal argument 3.
 */
int64_t nonius_dd_Rgetrf(int64_t m,
                         int64_t n,
                         struct nonius_dd *a,
                         int64_t lda,
                         int64_t *ipiv,
                         int64_t *info);

/*
 The solution of op(A)·X = B, in the place of B, by the factors that Rgetrf left.
 */
int64_t nonius_dd_Rgetrs(const char *trans,
                         int64_t n,
                         int64_t nrhs,
                         const struct nonius_dd *a,
                         int64_t lda,
                         const int64_t *ipiv,
                         struct nonius_dd *b,
                         int64_t ldb,
                         int64_t *info);

/*
 Rgetrf and Rgetrs in one. With a positive info B is as it was.
 */
int64_t nonius_dd_Rgesv(int64_t n,
                        int64_t nrhs,
                        struct nonius_dd *a,
                        int64_t lda,
                        int64_t *ipiv,
                        struct nonius_dd *b,
                        int64_t ldb,
                        int64_t *info);

/*
 The eigenvalues of the symmetric matrix that a triangle says, in ascending order in w. With V in
 place of N for jobz the eigenvectors take the place of the whole matrix A as columns; with N A
 is as it was. lwork is at least 3·n - 1; with lwork = -1 the first number of work says so, and
 nothing else is done. Nothing else is kept in work.
 */
int64_t nonius_dd_Rsyev(const char *jobz,
                        const char *uplo,
                        int64_t n,
                        struct nonius_dd *a,
                        int64_t lda,
                        struct nonius_dd *w,
                        struct nonius_dd *work,
                        int64_t lwork,
                        int64_t *info);

/*
 C ← α·op(A)·op(B) + β·C, where op(A) is m × k, op(B) is k × n, and op is nothing for N, the
 transpose for T and C. With β = 0 C is not read, with α = 0 neither A nor B.
 */
int64_t nonius_qd_Rgemm(const char *transa,
                        const char *transb,
                        int64_t m,
                        int64_t n,
                        int64_t k,
                        struct nonius_qd alpha,
                        const struct nonius_qd *a,
                        int64_t lda,
                        const struct nonius_qd *b,
                        int64_t ldb,
                        struct nonius_qd beta,
                        struct nonius_qd *c,
                        int64_t ldc);

/*
 One triangle, U or L, of C ← α·op(A)·op(A)ᵀ + β·C, where C is n × n and op(A) is n × k. The
 other triangle of C is neither read nor written.
 */
int64_t nonius_qd_Rsyrk(const char *uplo,
                        const char *trans,
                        int64_t n,
                        int64_t k,
                        struct nonius_qd alpha,
                        const struct nonius_qd *a,
                        int64_t lda,
                        struct nonius_qd beta,
                        struct nonius_qd *c,
                        int64_t ldc);

/*
 B ← α·op(A)⁻¹·B for side L, or α·B·op(A)⁻¹ for side R, where B is m × n and A a triangle, U or
 L, whose diagonal is not read but taken as ones where diag is U. The other triangle is not read.
 */
int64_t nonius_qd_Rtrsm(const char *side,
                        const char *uplo,
                        const char *transa,
                        const char *diag,
                        int64_t m,
                        int64_t n,
                        struct nonius_qd alpha,
                        const struct nonius_qd *a,
                        int64_t lda,
                        struct nonius_qd *b,
                        int64_t ldb);

/*
 The Cholesky factor of a symmetric positive definite matrix in the place of its triangle: L with
 A = L·Lᵀ, or U with A = Uᵀ·U. A positive info is the order of the leading square that is not
 positive definite; A is then as it was.
 */
int64_t nonius_qd_Rpotrf(const char *uplo,
                         int64_t n,
                         struct nonius_qd *a,
                         int64_t lda,
                         int64_t *info);

/*
 The solution of A·X = B, in the place of B, by the factor that Rpotrf left in a triangle.
 */
int64_t nonius_qd_Rpotrs(const char *uplo,
                         int64_t n,
                         int64_t nrhs,
                         const struct nonius_qd *a,
                         int64_t lda,
                         struct nonius_qd *b,
                         int64_t ldb,
                         int64_t *info);

/*
 Rpotrf and Rpotrs in one. With a positive info A and B are as they were.
 */
int64_t nonius_qd_Rposv(const char *uplo,
                        int64_t n,
                        int64_t nrhs,
                        struct nonius_qd *a,
                        int64_t lda,
                        struct nonius_qd *b,
                        int64_t ldb,
                        int64_t *info);

/*
 LU factors of an m × n matrix with partial pivoting, in its place: L, whose diagonal of ones is
 not stored, and U. Row i was exchanged with row ipiv[i - 1], for i from 1 to the lesser of m and
 n. A positive info is the first column whose pivot is zero; the factors are complete all the
 same. A number that is not finite counts as an illegal argument 3.
 */
int64_t nonius_qd_Rgetrf(int64_t m,
                         int64_t n,
                         struct nonius_qd *a,
                         int64_t lda,
                         int64_t *ipiv,
                         int64_t *info);

/*
 The solution of op(A)·X = B, in the place of B, by the factors that Rgetrf left.
 */
int64_t nonius_qd_Rgetrs(const char *trans,
                         int64_t n,
                         int64_t nrhs,
                         const struct nonius_qd *a,
                         int64_t lda,
                         const int64_t *ipiv,
                         struct nonius_qd *b,
                         int64_t ldb,
                         int64_t *info);

/*
 Rgetrf and Rgetrs in one. With a positive info B is as it was.
 */
int64_t nonius_qd_Rgesv(int64_t n,
                        int64_t nrhs,
                        struct nonius_qd *a,
                        int64_t lda,
                        int64_t *ipiv,
                        struct nonius_qd *b,
                        int64_t ldb,
                        int64_t *info);

/*
 The eigenvalues of the symmetric matrix that a triangle says, in ascending order in w. With V in
 place of N for jobz the eigenvectors take the place of the whole matrix A as columns; with N A
 is as it was. lwork is at least 3·n - 1; with lwork = -1 the first number of work says so, and
 nothing else is done. Nothing else is kept in work.
 */
int64_t nonius_qd_Rsyev(const char *jobz,
                        const char *uplo,
                        int64_t n,
                        struct nonius_qd *a,
                        int64_t lda,
                        struct nonius_qd *w,
                        struct nonius_qd *work,
                        int64_t lwork,
                        int64_t *info);

/*
 Reads a program from a file: SDPA's dense format where the name ends in `.dat`, else its sparse
 format.
 */
enum nonius_status nonius_sdp_read(const char *path, struct nonius_sdp **program);

/*
 Reads a program from a text in SDPA's sparse format. Its numbers stay the decimals of the text.
 */
enum nonius_status nonius_sdp_parse(const char *source, struct nonius_sdp **program);

/*
 The numbers of constraints and of blocks; either pointer may be NULL.
 */
enum nonius_status nonius_sdp_size(const struct nonius_sdp *program,
                                   size_t *constraints,
                                   size_t *blocks);

/*
 Frees a program. NULL is none.
 */
void nonius_sdp_free(struct nonius_sdp *program);

/*
 Solves a program in one precision after the other, up to the one given; 0 stands for the
 precision that the gap takes. The relative gap may be 0 too, for what the precision usually
 reaches. Where a proof is to follow, `then_proved` is not 0.

 A program that is infeasible is no error: nonius_sdp_phase says so.
 */
enum nonius_status nonius_sdp_solve(const struct nonius_sdp *program,
                                    uint32_t precision,
                                    double gap,
                                    int32_t then_proved,
                                    struct nonius_sdp_point **point);

/*
 What the solver says of the program, as SDPA spells it: `pdOPT` for an optimum, `pINF_dFEAS` for
 an infeasible primal program, `pFEAS_dINF` for an infeasible dual one. The buffer is as in
 nonius_matrix_decimal.
 */
enum nonius_status nonius_sdp_phase(const struct nonius_sdp_point *point,
                                    char *buffer,
                                    size_t capacity,
                                    size_t *length);

/*
 The objective of the primal program, c·x for NONIUS_PRIMAL, or of the dual one, F₀•Y for
 NONIUS_DUAL, in decimal. The buffer is as in nonius_matrix_decimal.
 */
enum nonius_status nonius_sdp_objective(const struct nonius_sdp_point *point,
                                        uint32_t which,
                                        char *buffer,
                                        size_t capacity,
                                        size_t *length);

/*
 The relative gap between both objectives, and how many iterations there were; either pointer may
 be NULL.
 */
enum nonius_status nonius_sdp_progress(const struct nonius_sdp_point *point,
                                       double *gap,
                                       uint64_t *iterations);

/*
 The numbers x of a point, as a column.
 */
enum nonius_status nonius_sdp_x(const struct nonius_sdp_point *point, struct nonius_matrix **x);

/*
 A block, which counts from 0, of X for NONIUS_PRIMAL or Y for NONIUS_DUAL. A diagonal block is a
 column: its diagonal.
 */
enum nonius_status nonius_sdp_block(const struct nonius_sdp_point *point,
                                    uint32_t which,
                                    size_t block,
                                    struct nonius_matrix **matrix);

/*
 Frees a point. NULL is none.
 */
void nonius_sdp_point_free(struct nonius_sdp_point *point);

/*
 Proves what can be proved of a program from one of its points: bounds of the optimum, or that it
 is infeasible.
 */
enum nonius_status nonius_sdp_certify(const struct nonius_sdp *program,
                                      const struct nonius_sdp_point *point,
                                      struct nonius_sdp_proof **proof);

/*
 A number in decimal that is proved not to be above the optimum. Where there is none, the status
 is NONIUS_STATUS_NUMBERS and the last error says why. The buffer is as in nonius_matrix_decimal.
 */
enum nonius_status nonius_sdp_lower(const struct nonius_sdp_proof *proof,
                                    char *buffer,
                                    size_t capacity,
                                    size_t *length);

/*
 A number in decimal that is proved not to be below the optimum; else as nonius_sdp_lower.
 */
enum nonius_status nonius_sdp_upper(const struct nonius_sdp_proof *proof,
                                    char *buffer,
                                    size_t capacity,
                                    size_t *length);

/*
 How many decimal digits of the optimum are proved, NaN where a bound is missing; and whether a
 program is proved infeasible: 0 for neither, 1 for the primal one, 2 for the dual one. Either
 pointer may be NULL.
 */
enum nonius_status nonius_sdp_proved(const struct nonius_sdp_proof *proof,
                                     double *digits,
                                     int32_t *infeasible);

/*
 Frees a proof. NULL is none.
 */
void nonius_sdp_proof_free(struct nonius_sdp_proof *proof);

/*
 The version, as in `0.2.0`. The text stays for as long as the library is loaded.
 */
const char *nonius_version(void);

/*
 Why the last call of this thread that failed did so: one sentence, empty where none failed. The
 text stays until the next call of this thread fails.
 */
const char *nonius_last_error(void);

/*
 A status in a few words. The text stays for as long as the library is loaded.
 */
const char *nonius_status_name(int32_t status);

/*
 Chooses the device for later calls of this thread: `auto`, `cpu`, `cuda:0` for the first GPU, or
 `cuda:all` for all. At first it is `auto`: a GPU where there is one and the work is long enough.
 */
enum nonius_status nonius_set_device(const char *name);

/*
 Chooses how many threads later calls of this thread work with, 1024 at most. 0, as at first,
 stands for as many as there are cores. Results do not depend on it.
 */
enum nonius_status nonius_set_threads(size_t count);

/*
 How many NVIDIA GPUs this machine has: 0 where it has no driver.
 */
enum nonius_status nonius_gpu_count(size_t *count);

/*
 A sparse matrix by triplets: `values[k]` belongs to row `row_indices[k]` and column
 `col_indices[k]`, which count from 0. Values of one place are added.
 */
enum nonius_status nonius_sparse_from_coo(size_t rows,
                                          size_t cols,
                                          size_t count,
                                          const int64_t *row_indices,
                                          const int64_t *col_indices,
                                          const double *values,
                                          struct nonius_sparse **sparse);

/*
 A sparse matrix by compressed rows: the values of row i are `values[k]`, in the columns
 `col_indices[k]`, for k from `starts[i]` to `starts[i + 1] - 1`. All count from 0, and `starts`
 has `rows + 1` elements.
 */
enum nonius_status nonius_sparse_from_csr(size_t rows,
                                          size_t cols,
                                          const int64_t *starts,
                                          const int64_t *col_indices,
                                          const double *values,
                                          struct nonius_sparse **sparse);

/*
 Replaces the values by those of a column with as many rows as there are values, in their order:
 numbers of the precision of later right-hand sides.
 */
enum nonius_status nonius_sparse_set_values(struct nonius_sparse *sparse,
                                            const struct nonius_matrix *values);

/*
 Frees a sparse matrix. NULL is none.
 */
void nonius_sparse_free(struct nonius_sparse *sparse);

/*
 Solves A·x = b by iteration in the precision of b, a column.

 The method is NONIUS_CG, NONIUS_MINRES, NONIUS_BICGSTAB or NONIUS_GMRES. The preconditioner is
 `none`, `jacobi`, `block-jacobi:16` for blocks of 16 rows, or `ic0`; NULL stands for `none`. The
 iteration begins at `start`, or at zero where that is NULL. It ends where the norm of the
 residual is at most `tolerance` times that of the first one, or after `most` iterations.

 An iteration that did not converge is no error: x is what it came to, and the report, which may
 be NULL, says so.
 */
enum nonius_status nonius_sparse_solve(const struct nonius_sparse *a,
                                       const struct nonius_matrix *b,
                                       const struct nonius_matrix *start,
                                       uint32_t method,
                                       const char *preconditioner,
                                       double tolerance,
                                       uint64_t most,
                                       struct nonius_matrix **x,
                                       struct nonius_iteration *report);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* NONIUS_H */
