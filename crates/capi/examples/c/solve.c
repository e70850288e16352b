/* Solve a system in quad-double, and with 50 proved digits. The Hilbert matrix of order 12 has the
 * condition number 1.7e16: double precision finds no digit.
 *
 * cc solve.c $(pkg-config --cflags --libs nonius) && ./a.out
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nonius.h>

enum { N = 12 };

/* Ends the program where a call has failed. */
static void check(nonius_status status) {
    if (status != NONIUS_STATUS_OK) {
        fprintf(stderr, "%s: %s\n", nonius_status_name(status), nonius_last_error());
        exit(1);
    }
}

int main(void) {
    /* Entry (i, j) is L / (i + j + 1), where L makes integers of all, and B is a column of L's:
     * the solution is that of the Hilbert matrix and a column of ones. */
    const double multiple = 5354228880.0;
    double entries[N * N], right[N];
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            entries[i + j * N] = multiple / (i + j + 1);
        }
        right[j] = multiple;
    }

    nonius_matrix *a, *b, *x;
    nonius_report report;
    char text[128];
    check(nonius_matrix_from_doubles(NONIUS_QD, N, N, entries, N, &a));
    check(nonius_matrix_from_doubles(NONIUS_QD, N, 1, right, N, &b));

    check(nonius_solve(a, b, &x, &report));
    check(nonius_matrix_decimal(x, 0, 0, 40, text, sizeof text, NULL));
    printf("in quad-double       %s, %.0f digits estimated\n", text, report.correct_digits);
    /* The doubles nearest to the solution: -12, 1716, -60060, ... */
    double nearest[N];
    check(nonius_matrix_to_doubles(x, nearest, N));
    nonius_matrix_free(x);
    if (nearest[0] != -12.0 || nearest[2] != -60060.0 || !(report.correct_digits > 30.0)) {
        return 2;
    }

    check(nonius_solve_digits(a, b, 50, &x, &report));
    check(nonius_matrix_decimal(x, N - 1, 0, 0, text, sizeof text, NULL));
    printf("with 50 proved ones  %s, %s\n", text, report.is_exact ? "exact" : "proved");
    nonius_matrix_free(x);
    /* The last row sum of the inverse of the Hilbert matrix. */
    if (report.digits_proved < 50 || strcmp(text, "16224936") != 0) {
        return 3;
    }

    check(nonius_determinant_digits(a, 30, text, sizeof text, NULL, &report));
    printf("determinant          %s\n", text);

    /* What fails says why. */
    nonius_status status = nonius_solve(a, NULL, &x, NULL);
    printf("without b            %s: %s\n", nonius_status_name(status), nonius_last_error());
    nonius_matrix_free(a);
    nonius_matrix_free(b);
    return status == NONIUS_STATUS_POINTER ? 0 : 4;
}
