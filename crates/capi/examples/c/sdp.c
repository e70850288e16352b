/* Solve a semidefinite program and prove bounds of its optimum. Lovász's number of the pentagon,
 * which bounds what a code for a noisy channel can send, is the square root of 5.
 *
 * cc sdp.c $(pkg-config --cflags --libs nonius) && ./a.out
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nonius.h>

static void check(nonius_status status) {
    if (status != NONIUS_STATUS_OK) {
        fprintf(stderr, "%s: %s\n", nonius_status_name(status), nonius_last_error());
        exit(1);
    }
}

int main(void) {
    /* Maximise the sum of all entries of Y, where Y is positive semidefinite and has trace 1 and
     * zeros at the edges. In SDPA's sparse format a line is: matrix, block, row, column, value. */
    char source[2000] = "6\n1\n5\n1 0 0 0 0 0\n", line[80];
    for (int i = 1; i <= 5; i++) {
        for (int j = i; j <= 5; j++) {
            snprintf(line, sizeof line, "0 1 %d %d 1\n", i, j);
            strcat(source, line);
        }
        int next = i % 5 + 1;
        snprintf(line, sizeof line, "1 1 %d %d 1\n%d 1 %d %d 1\n", i, i, i + 1,
                 next < i ? next : i, next < i ? i : next);
        strcat(source, line);
    }

    nonius_sdp *program;
    nonius_sdp_point *point;
    nonius_sdp_proof *proof;
    char phase[32], lower[128], upper[128];
    double digits;
    check(nonius_sdp_parse(source, &program));
    check(nonius_sdp_solve(program, NONIUS_QD, 0.0, 1, &point));
    check(nonius_sdp_phase(point, phase, sizeof phase, NULL));
    check(nonius_sdp_certify(program, point, &proof));
    check(nonius_sdp_lower(proof, lower, sizeof lower, NULL));
    check(nonius_sdp_upper(proof, upper, sizeof upper, NULL));
    check(nonius_sdp_proved(proof, &digits, NULL));
    printf("phase          %s\nlower bound    %s\nupper bound    %s\ndigits proved  %.1f\n", phase,
           lower, upper, digits);

    nonius_matrix *y;
    size_t rows, cols;
    check(nonius_sdp_block(point, NONIUS_DUAL, 0, &y));
    check(nonius_matrix_shape(y, &rows, &cols));
    nonius_matrix_free(y);
    nonius_sdp_proof_free(proof);
    nonius_sdp_point_free(point);
    nonius_sdp_free(program);
    /* sqrt(5) = 2.2360679774997896964 0917366873127623 5440618359611525... */
    int is_right = strncmp(lower, "2.236067977499789696409173668731276235", 38) == 0 &&
                   strncmp(upper, "2.236067977499789696409173668731276235", 38) == 0;
    return is_right && digits > 38.0 && rows == 5 && cols == 5 ? 0 : 2;
}
