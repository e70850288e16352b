# Solve a system with 40 proved digits, and find eigenvalues in quad-double, from Julia.
#
# julia solve.jl /path/to/libnonius.so
const libnonius = get(ARGS, 1, "libnonius.so.0")

const NONIUS_F64 = UInt32(53)

last_error() = unsafe_string(ccall((:nonius_last_error, libnonius), Cstring, ()))
check(status) = status == 0 || error(last_error())

mutable struct Matrix_
    handle::Ptr{Cvoid}
    function Matrix_(handle)
        matrix = new(handle)
        # Julia's collector gives the handle back.
        finalizer(m -> ccall((:nonius_matrix_free, libnonius), Cvoid, (Ptr{Cvoid},), m.handle), matrix)
    end
end
Base.unsafe_convert(::Type{Ptr{Cvoid}}, matrix::Matrix_) = matrix.handle

# Julia's arrays lie column by column, as those of Nonius.
function Matrix_(entries::Matrix{Float64})
    handle = Ref{Ptr{Cvoid}}(C_NULL)
    rows, cols = size(entries)
    check(ccall((:nonius_matrix_from_doubles, libnonius), Cint,
        (UInt32, Csize_t, Csize_t, Ptr{Float64}, Csize_t, Ref{Ptr{Cvoid}}),
        NONIUS_F64, rows, cols, entries, rows, handle))
    Matrix_(handle[])
end

function solve(a::Matrix_, b::Matrix_, digits)
    handle = Ref{Ptr{Cvoid}}(C_NULL)
    check(ccall((:nonius_solve_digits, libnonius), Cint,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ref{Ptr{Cvoid}}, Ptr{Cvoid}),
        a, b, digits, handle, C_NULL))
    Matrix_(handle[])
end

# Indices of Julia count from 1, those of Nonius from 0.
function decimal(a::Matrix_, row, col, digits)
    buffer = Vector{UInt8}(undef, digits + 32)
    check(ccall((:nonius_matrix_decimal, libnonius), Cint,
        (Ptr{Cvoid}, Csize_t, Csize_t, UInt32, Ptr{UInt8}, Csize_t, Ptr{Csize_t}),
        a, row - 1, col - 1, digits, buffer, length(buffer), C_NULL))
    GC.@preserve buffer unsafe_string(pointer(buffer))
end

x = solve(Matrix_([2.0 1.0; 1.0 3.0]), Matrix_(reshape([1.0, 0.0], 2, 1)), 40)
println("with 40 proved digits  ", decimal(x, 2, 1, 40))
@assert decimal(x, 2, 1, 40) == "-2.000000000000000000000000000000000000000e-1"

# Quad-doubles are four doubles, as a tuple has them.
const Quad = NTuple{4,Float64}
quad(x) = (Float64(x), 0.0, 0.0, 0.0)
function eigenvalues!(a::Matrix{Quad})
    n = size(a, 1)
    values, work, info = Vector{Quad}(undef, n), Vector{Quad}(undef, 3n), Ref{Int64}(0)
    ccall((:nonius_qd_Rsyev, libnonius), Int64,
        (Cstring, Cstring, Int64, Ptr{Quad}, Int64, Ptr{Quad}, Ptr{Quad}, Int64, Ref{Int64}),
        "V", "L", n, a, n, values, work, length(work), info)
    info[] == 0 || error(last_error())
    values
end

# The second difference of order 3 has the eigenvalues 2 - sqrt(2), 2 and 2 + sqrt(2).
values = eigenvalues!(quad.([2 -1 0; -1 2 -1; 0 -1 2]))
sums = [sum(BigFloat, value) for value in values]
println("in quad-double         ", sums[3])
@assert abs(sums[3] - 2 - sqrt(BigFloat(2))) < 1e-60
