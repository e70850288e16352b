//! What NumPy's functions do with our types.

use std::ffi::{CStr, c_int, c_void};

use nonius::dense::{BinaryOp, Operand, Operations, UnaryOp, elementwise};
use pyo3::prelude::*;

use super::kind::{Kind, Rounding};
use super::loops::{Entries, Map1, Map2, operands};
use super::products;
use super::raw::{
    Api, Loop, NO_CASTING, REDUCTION_INITIAL, REORDERABLE, STRIDED_LOOP, UNALIGNED_LOOP, method,
    with_slots,
};

/// The number with which a reduction begins.
unsafe extern "C" fn initial<K: Kind, const NUMBER: u8>(
    _: *mut c_void,
    _: u8,
    place: *mut K,
) -> c_int {
    // SAFETY: a place for one number.
    unsafe { place.write_unaligned(K::from_f64(NUMBER.into())) };
    1
}

/// `clip`: the number, at least the second operand and at most the third.
unsafe extern "C" fn clip<K: Kind>(
    _: *mut c_void,
    data: *const *mut u8,
    length: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy calls the loop with four operands of this kind.
    unsafe {
        let (count, [x, low, high, to]) = operands(data, length, strides);
        for i in 0..count {
            let above = <Maximum as Map2<K, K>>::of(x.get(i), low.get(i));
            to.set(i, <Minimum as Map2<K, K>>::of(above, high.get(i)));
        }
    }
    0
}

/// Entries that are computed at a time, where they do not lie one after the other.
const BLOCK: usize = 256;

/// Functions by which NumPy reduces arrays over several axes.
const REDUCTIONS: [&str; 8] =
    ["add", "multiply", "maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or"];

/// Adds all functions of a kind.
pub(super) fn add<K: Kind>(py: Python<'_>) -> PyResult<()> {
    let numpy = py.import("numpy")?;
    let ours: *mut c_void = K::place().class().cast();
    let booleans: *mut c_void = numpy.getattr("dtypes")?.getattr("BoolDType")?.into_ptr().cast();
    let api = Api::get();
    let one = |name: &'static CStr, output, run: Loop| {
        let spec = method(name, 1, NO_CASTING, [ours, output], run);
        api.add_loop(&numpy.getattr(&*name.to_string_lossy())?, spec)
    };
    let two = |name: &'static CStr, output, run: Loop| {
        let (text, run) = (name.to_string_lossy(), run as *const c_void);
        let mut slots = vec![(STRIDED_LOOP, run), (UNALIGNED_LOOP, run)];
        // What a sum or product of nothing is.
        match &*text {
            "add" => slots.push((REDUCTION_INITIAL, initial::<K, 0> as *const c_void)),
            "multiply" => slots.push((REDUCTION_INITIAL, initial::<K, 1> as *const c_void)),
            _ => {}
        }
        let spec = with_slots(name, 1, NO_CASTING, [ours, ours, output], &slots);
        if REDUCTIONS.contains(&&*text) {
            spec.flags |= REORDERABLE;
        }
        api.add_loop(&numpy.getattr(&*name.to_string_lossy())?, spec)
    };
    macro_rules! kernels {
        ($($name:literal $number:literal;)*) => {$(
            one($name, ours, unary::<K, $number>)?;
        )*};
    }
    // The numbers are those of `UNARY`.
    kernels! {
        c"negative" 0; c"absolute" 1; c"fabs" 1; c"sqrt" 2; c"exp" 3; c"exp2" 4; c"expm1" 5;
        c"log" 6; c"log2" 7; c"log10" 8; c"log1p" 9; c"cbrt" 10; c"sin" 11; c"cos" 12; c"tan" 13;
        c"arcsin" 14; c"arccos" 15; c"arctan" 16; c"sinh" 17; c"cosh" 18; c"tanh" 19;
        c"arcsinh" 20; c"arccosh" 21; c"arctanh" 22;
    }
    macro_rules! kernels_of_two {
        ($($name:literal $number:literal;)*) => {$(
            two($name, ours, binary::<K, $number>)?;
        )*};
    }
    // The numbers are those of `BINARY`.
    kernels_of_two! {
        c"add" 0; c"subtract" 1; c"multiply" 2; c"divide" 3; c"power" 4; c"hypot" 5;
        c"arctan2" 6; c"float_power" 4;
    }
    macro_rules! of_one {
        ($output:ident $result:ty: $($name:literal $map:ident;)*) => {$(
            one($name, $output, <$map as Map1<K, $result>>::LOOP)?;
        )*};
    }
    of_one! { ours K:
        c"positive" Positive; c"conjugate" Positive; c"square" Square; c"reciprocal" Reciprocal; c"floor" Floor;
        c"ceil" Ceil; c"trunc" Trunc; c"rint" Rint; c"sign" Sign; c"deg2rad" Radians;
        c"rad2deg" Degrees;
    }
    of_one! { booleans u8:
        c"isfinite" IsFinite; c"isnan" IsNan; c"isinf" IsInfinite; c"signbit" SignBit;
        c"logical_not" Not;
    }
    macro_rules! of_two {
        ($output:ident $result:ty: $($name:literal $map:ident;)*) => {$(
            two($name, $output, <$map as Map2<K, $result>>::LOOP)?;
        )*};
    }
    of_two! { ours K:
        c"maximum" Maximum; c"minimum" Minimum; c"fmax" NumberMaximum; c"fmin" NumberMinimum;
        c"remainder" Remainder; c"floor_divide" FloorDivide; c"fmod" Fmod; c"copysign" CopySign;
    }
    of_two! { booleans u8:
        c"equal" Equal; c"not_equal" NotEqual; c"less" Less; c"less_equal" LessEqual;
        c"greater" Greater; c"greater_equal" GreaterEqual; c"logical_and" And; c"logical_or" Or;
    }
    let clip = method(c"clip", 1, NO_CASTING, [ours; 4], clip::<K>);
    api.add_loop(&numpy.getattr("_core")?.getattr("umath")?.getattr("clip")?, clip)?;
    let matmul = method(c"matmul", 1, NO_CASTING, [ours; 3], products::matmul::<K>);
    api.add_loop(&numpy.getattr("matmul")?, matmul)
}

const UNARY: [UnaryOp; 23] = [
    UnaryOp::Neg,
    UnaryOp::Abs,
    UnaryOp::Sqrt,
    UnaryOp::Exp,
    UnaryOp::Exp2,
    UnaryOp::ExpM1,
    UnaryOp::Ln,
    UnaryOp::Log2,
    UnaryOp::Log10,
    UnaryOp::Ln1p,
    UnaryOp::Cbrt,
    UnaryOp::Sin,
    UnaryOp::Cos,
    UnaryOp::Tan,
    UnaryOp::Asin,
    UnaryOp::Acos,
    UnaryOp::Atan,
    UnaryOp::Sinh,
    UnaryOp::Cosh,
    UnaryOp::Tanh,
    UnaryOp::Asinh,
    UnaryOp::Acosh,
    UnaryOp::Atanh,
];

const BINARY: [BinaryOp; 7] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Pow,
    BinaryOp::Hypot,
    BinaryOp::Atan2,
];

unsafe extern "C" fn unary<K: Kind, const OPERATION: usize>(
    _: *mut c_void,
    data: *const *mut u8,
    length: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy calls the loop with two operands of this kind.
    unsafe {
        let (count, [x, y]) = operands(data, length, strides);
        run::<K, 1>(UNARY[OPERATION], count, [x], y);
    }
    0
}

unsafe extern "C" fn binary<K: Kind, const OPERATION: usize>(
    _: *mut c_void,
    data: *const *mut u8,
    length: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy calls the loop with three operands of this kind.
    unsafe {
        let (count, [x, y, z]) = operands(data, length, strides);
        // A sum of all entries: the output is an operand that does not move.
        if z.stride == 0 && x.stride == 0 && x.start == z.start {
            let mut total: K = x.get(0);
            for i in 0..count {
                total = BINARY[OPERATION].apply([total, y.get(i)]);
            }
            z.set(0, total);
            return 0;
        }
        run::<K, 2>(BINARY[OPERATION], count, [x, y], z);
    }
    0
}

/// Computes by kernels: where all lies, if operands lie one number after the other apart from the
/// output, else in blocks.
///
/// # Safety
/// There are `count` entries of this kind everywhere.
unsafe fn run<K: Kind, const N: usize>(
    operation: impl Operations<N>,
    count: usize,
    from: [Entries; N],
    to: Entries,
) {
    let size = size_of::<K>() as isize;
    let is_dense =
        |x: &Entries| (x.stride == size || count == 1) && x.start.cast::<K>().is_aligned();
    let end = |x: &Entries| x.start.wrapping_offset(count as isize * size);
    let is_apart = |x: &Entries| end(x) <= to.start || end(&to) <= x.start;
    let one_number = |x: &Entries| x.stride == 0;
    let direct = is_dense(&to)
        && from
            .iter()
            .all(|x| one_number(x) && !same_place(x, &to, count) || is_dense(x) && is_apart(x));
    if direct {
        // SAFETY: numbers one after the other, and the output apart from all operands.
        let operands = from.map(|x| unsafe {
            match one_number(&x) {
                true => Operand::Scalar(x.get::<K>(0)),
                false => {
                    let numbers = std::slice::from_raw_parts(x.start.cast::<K>(), count);
                    Operand::Entries(numbers.into())
                }
            }
        });
        // SAFETY: as above.
        let output = unsafe { std::slice::from_raw_parts_mut(to.start.cast::<K>(), count) };
        compute(operation, operands, output);
        return;
    }
    // A result that a later entry takes for an operand, as in `cumsum`.
    let is_chained = |x: &Entries| {
        !is_apart_by_steps(x, &to, count) && (x.start != to.start || x.stride != to.stride)
    };
    if from.iter().any(is_chained) {
        for i in 0..count {
            // SAFETY: there is an entry `i` everywhere.
            unsafe { to.set(i, operation.apply(from.map(|x| x.get::<K>(i)))) };
        }
        return;
    }
    let mut blocks = [[K::ZERO; BLOCK]; N];
    let mut results = [K::ZERO; BLOCK];
    for first in (0..count).step_by(BLOCK) {
        let count = BLOCK.min(count - first);
        for (block, x) in blocks.iter_mut().zip(from) {
            // SAFETY: entries from `first` on.
            (0..count).for_each(|i| block[i] = unsafe { x.get(first + i) });
        }
        let operands = std::array::from_fn(|n| Operand::Entries((&blocks[n][..count]).into()));
        compute(operation, operands, &mut results[..count]);
        for (i, &result) in results[..count].iter().enumerate() {
            // SAFETY: as above.
            unsafe { to.set(first + i, result) };
        }
    }
}

/// Whether no entry of an operand lies among those of the output.
fn is_apart_by_steps(x: &Entries, to: &Entries, count: usize) -> bool {
    let span = |entries: &Entries| {
        let last = entries.start.wrapping_offset((count.max(1) - 1) as isize * entries.stride);
        (entries.start.min(last), entries.start.max(last))
    };
    let ((x_first, x_last), (first, last)) = (span(x), span(to));
    x_last < first || last < x_first
}

/// Whether an operand that does not move lies in the output.
fn same_place(x: &Entries, to: &Entries, count: usize) -> bool {
    let end = to.start.wrapping_offset(count as isize * to.stride.abs());
    (to.start..=end).contains(&x.start)
}

fn compute<K: Kind, const N: usize>(
    operation: impl Operations<N>,
    operands: [Operand<K, nonius::dense::MatRef<'_, K>>; N],
    output: &mut [K],
) {
    // Shapes and formats fit.
    let _ = elementwise(operation, operands, output);
}

macro_rules! map_1 {
    ($($name:ident $x:ident $kind:ident -> $result:ty: $value:expr;)*) => {$(
        #[derive(Clone, Copy)]
        struct $name;

        impl<$kind: Kind> Map1<$kind, $result> for $name {
            #[inline(always)]
            fn of($x: $kind) -> $result {
                $value
            }
        }
    )*};
}

macro_rules! map_2 {
    ($($name:ident $x:ident $y:ident $kind:ident -> $result:ty: $value:expr;)*) => {$(
        #[derive(Clone, Copy)]
        struct $name;

        impl<$kind: Kind> Map2<$kind, $result> for $name {
            #[inline(always)]
            fn of($x: $kind, $y: $kind) -> $result {
                $value
            }
        }
    )*};
}

map_1! {
    Positive x K -> K: x;
    Square x K -> K: x * x;
    Reciprocal x K -> K: K::ONE / x;
    Floor x K -> K: x.rounded(Rounding::Down);
    Ceil x K -> K: x.rounded(Rounding::Up);
    Trunc x K -> K: x.rounded(Rounding::Truncated);
    Rint x K -> K: x.rounded(Rounding::Nearest);
    Sign x K -> K: x.sign();
    Radians x K -> K: x * K::pi(()) / K::from_f64(180.0);
    Degrees x K -> K: x * K::from_f64(180.0) / K::pi(());
    IsFinite x K -> u8: u8::from(x.is_finite());
    IsNan x K -> u8: u8::from(x.is_nan());
    IsInfinite x K -> u8: u8::from(!x.is_finite() && !x.is_nan());
    SignBit x K -> u8: u8::from(is_negative(x));
    Not x K -> u8: u8::from(x == K::ZERO);
}

map_2! {
    Maximum x y K -> K: if x.is_nan() || x >= y { x } else { y };
    Minimum x y K -> K: if x.is_nan() || x <= y { x } else { y };
    NumberMaximum x y K -> K: if y.is_nan() || x >= y { x } else { y };
    NumberMinimum x y K -> K: if y.is_nan() || x <= y { x } else { y };
    Remainder x y K -> K: remainder(x, y);
    FloorDivide x y K -> K: floor_divide(x, y);
    Fmod x y K -> K: x % y;
    CopySign x y K -> K: if is_negative(x) == is_negative(y) { x } else { -x };
    Equal x y K -> u8: u8::from(x == y);
    NotEqual x y K -> u8: u8::from(x != y);
    Less x y K -> u8: u8::from(x < y);
    LessEqual x y K -> u8: u8::from(x <= y);
    Greater x y K -> u8: u8::from(x > y);
    GreaterEqual x y K -> u8: u8::from(x >= y);
    And x y K -> u8: u8::from(x != K::ZERO && y != K::ZERO);
    Or x y K -> u8: u8::from(x != K::ZERO || y != K::ZERO);
}

/// Whether the sign bit is set, that of zero too.
fn is_negative<K: Kind>(x: K) -> bool {
    x.to_f64().is_sign_negative()
}

/// `x − ⌊x/y⌋·y`, with the sign of `y`.
fn remainder<K: Kind>(x: K, y: K) -> K {
    let rest = x % y;
    if rest != K::ZERO && (rest < K::ZERO) != (y < K::ZERO) { rest + y } else { rest }
}

fn floor_divide<K: Kind>(x: K, y: K) -> K {
    if y == K::ZERO {
        return x / y;
    }
    ((x - remainder(x, y)) / y).rounded(Rounding::Nearest)
}
