! Solve a system with 40 proved digits, and factor a matrix in double-double, from Fortran.
!
! gfortran solve.f90 $(pkg-config --libs nonius) && ./a.out
program solve
    use, intrinsic :: iso_c_binding
    implicit none

    interface
        integer(c_int) function nonius_matrix_from_doubles(precision, rows, cols, data, stride, &
                matrix) bind(c)
            import :: c_int, c_int32_t, c_size_t, c_double, c_ptr
            integer(c_int32_t), value :: precision
            integer(c_size_t), value :: rows, cols, stride
            real(c_double), intent(in) :: data(*)
            type(c_ptr), intent(out) :: matrix
        end function

        integer(c_int) function nonius_solve_digits(a, b, digits, x, report) bind(c)
            import :: c_int, c_int32_t, c_ptr
            type(c_ptr), value :: a, b, report
            integer(c_int32_t), value :: digits
            type(c_ptr), intent(out) :: x
        end function

        integer(c_int) function nonius_matrix_decimal(matrix, row, col, digits, buffer, capacity, &
                length) bind(c)
            import :: c_int, c_int32_t, c_size_t, c_ptr, c_char
            type(c_ptr), value :: matrix
            integer(c_size_t), value :: row, col, capacity
            integer(c_int32_t), value :: digits
            character(kind=c_char), intent(out) :: buffer(*)
            integer(c_size_t), intent(out) :: length
        end function

        subroutine nonius_matrix_free(matrix) bind(c)
            import :: c_ptr
            type(c_ptr), value :: matrix
        end subroutine

        integer(c_int64_t) function nonius_dd_Rgesv(n, nrhs, a, lda, ipiv, b, ldb, info) &
                bind(c, name="nonius_dd_Rgesv")
            import :: c_int64_t, c_double
            integer(c_int64_t), value :: n, nrhs, lda, ldb
            ! The first dimension is that of the two doubles of a number.
            real(c_double), intent(inout) :: a(2, *), b(2, *)
            integer(c_int64_t), intent(out) :: ipiv(*), info
        end function
    end interface

    ! NONIUS_F64 of nonius.h.
    integer(c_int32_t), parameter :: f64 = 53
    integer(c_size_t), parameter :: one = 1, two = 2
    real(c_double) :: entries(2, 2), right(2), limbs(2, 2, 2), solution(2, 2)
    type(c_ptr) :: a, b, x
    character(kind=c_char) :: buffer(100)
    character(len=:), allocatable :: text
    integer(c_size_t) :: length, i
    integer(c_int64_t) :: ipiv(2), info

    ! Fortran's arrays lie column by column, as those of Nonius.
    entries = reshape([2.0d0, 1.0d0, 1.0d0, 3.0d0], [2, 2])
    right = [1.0d0, 0.0d0]
    if (nonius_matrix_from_doubles(f64, two, two, entries, two, a) /= 0) stop 1
    if (nonius_matrix_from_doubles(f64, two, one, right, two, b) /= 0) stop 2
    if (nonius_solve_digits(a, b, 40, x, c_null_ptr) /= 0) stop 3
    ! Indices count from 0.
    if (nonius_matrix_decimal(x, 1_c_size_t, 0_c_size_t, 40, buffer, 100_c_size_t, length) /= 0) stop 4
    allocate (character(len=length) :: text)
    do i = 1, length
        text(i:i) = buffer(i)
    end do
    print '(2a)', 'with 40 proved digits  ', text
    call nonius_matrix_free(x)
    call nonius_matrix_free(b)
    call nonius_matrix_free(a)
    if (text /= '-2.000000000000000000000000000000000000000e-1') stop 5

    ! The same system in double-double.
    limbs = 0.0d0
    limbs(1, :, :) = entries
    solution = 0.0d0
    solution(1, :) = right
    if (nonius_dd_Rgesv(2_c_int64_t, 1_c_int64_t, limbs, 2_c_int64_t, ipiv, solution, 2_c_int64_t, &
                        info) /= 0) stop 6
    print '(a, 2es24.16)', 'in double-double       ', solution(:, 2)
    ! -1/5 is the double -0.2 and 1.1102230246251565e-17 more.
    if (solution(1, 2) /= -0.2d0) stop 7
    if (abs(solution(2, 2) - 1.1102230246251565d-17) > 1.0d-32) stop 8
    if (info /= 0) stop 9
end program
