//! What NumPy's functions do with our types.

use std::ffi::{CStr, c_int, c_void};

use nonius::Whole;
use nonius::dense::{
    BinaryOp, MatMut, MatRef, Numbers, Operand, Operations, UnaryOp, elementwise, sum,
};
use pyo3::prelude::*;

use super::arrays::gathered;
use super::item::{Entries, Item};
use super::kind::Kind;
use super::loops::{Map1, Map2, form_of, operands};
use super::raw::{
    Api, Loop, NO_CASTING, REDUCTION_INITIAL, REORDERABLE, RESOLVE, by_loop, with_slots,
};
use super::{parametric, products};

/// The number with which a reduction begins.
unsafe extern "C" fn initial<K: Kind, const NUMBER: u8>(
    context: *mut c_void,
    _: u8,
    place: *mut u8,
) -> c_int {
    // SAFETY: the context of a loop of this kind, and a place for one number.
    unsafe { K::from_f64(NUMBER.into()).write(form_of::<K>(context, 0), place) };
    1
}

/// The slots of a loop with this number of operands beside the result.
fn slots<K: Kind, const INPUTS: usize>(run: Loop) -> Vec<(c_int, *const c_void)> {
    let mut slots = by_loop(run);
    if K::IS_PARAMETRIC {
        slots.push((RESOLVE, parametric::resolve_function::<INPUTS> as *const c_void));
    }
    slots
}

/// `clip`: the number, at least the second operand and at most the third.
unsafe extern "C" fn clip<K: Kind>(
    context: *mut c_void,
    data: *const *mut u8,
    length: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy calls the loop with four operands of this kind.
    unsafe {
        let form = form_of::<K>(context, 0);
        let (count, [x, low, high, to]) = operands(data, length, strides);
        for i in 0..count {
            let above = <Maximum as Map2<K, K>>::of(x.get(form, i), low.get(form, i));
            to.set::<K>(form, i, <Minimum as Map2<K, K>>::of(above, high.get(form, i)));
        }
    }
    0
}

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
        let spec = with_slots(name, 1, NO_CASTING, [ours, output], &slots::<K, 1>(run));
        api.add_loop(&numpy.getattr(&*name.to_string_lossy())?, spec)
    };
    let two = |name: &'static CStr, output, run: Loop| {
        let (text, mut slots) = (name.to_string_lossy(), slots::<K, 2>(run));
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
    one(c"square", ours, square::<K>)?;
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
        c"positive" Positive; c"conjugate" Positive; c"reciprocal" Reciprocal; c"floor" Floor;
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
    let clip = with_slots(c"clip", 1, NO_CASTING, [ours; 4], &slots::<K, 3>(clip::<K>));
    api.add_loop(&numpy.getattr("_core")?.getattr("umath")?.getattr("clip")?, clip)?;
    let products: [(_, Loop); 4] = [
        (c"matmul", products::matmul::<K>),
        (c"vecdot", products::vecdot::<K>),
        (c"matvec", products::matvec::<K>),
        (c"vecmat", products::vecmat::<K>),
    ];
    for (name, run) in products {
        // NumPy 2.0 has two of them.
        if let Ok(function) = numpy.getattr(&*name.to_string_lossy()) {
            let slots = slots::<K, 2>(run);
            api.add_loop(&function, with_slots(name, 1, NO_CASTING, [ours; 3], &slots))?;
        }
    }
    Ok(())
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
    context: *mut c_void,
    data: *const *mut u8,
    length: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy calls the loop with two operands of this kind.
    unsafe {
        let (count, [x, y]) = operands(data, length, strides);
        let form = form_of::<K>(context, 0);
        if is_short::<K, 1>(UNARY[OPERATION], form, count) {
            (0..count).for_each(|i| y.set(form, i, UNARY[OPERATION].apply([x.get::<K>(form, i)])));
            return 0;
        }
        run::<K, 1>(UNARY[OPERATION], form, count, [x], y);
    }
    0
}

unsafe extern "C" fn binary<K: Kind, const OPERATION: usize>(
    context: *mut c_void,
    data: *const *mut u8,
    length: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy calls the loop with three operands of this kind.
    unsafe {
        let form = form_of::<K>(context, 0);
        let (count, [x, y, z]) = operands(data, length, strides);
        // A sum of all entries: the output is an operand that does not move.
        if z.stride == 0 && x.stride == 0 && x.start == z.start {
            let total = reduced::<K>(BINARY[OPERATION], form, x.get(form, 0), y, count);
            z.set(form, 0, total);
            return 0;
        }
        if is_short::<K, 2>(BINARY[OPERATION], form, count) {
            for i in 0..count {
                let operands = [x.get::<K>(form, i), y.get(form, i)];
                z.set(form, i, BINARY[OPERATION].apply(operands));
            }
            return 0;
        }
        run::<K, 2>(BINARY[OPERATION], form, count, [x, y], z);
    }
    0
}

/// Entries below which a call of a kernel takes longer than the operations, by measurement.
const FEW: usize = 16;

/// Whether operations on numbers of a form take less time than the kernels' calls and copies: few
/// instructions on few words or entries, by measurement.
fn is_short<K: Kind, const N: usize>(
    operation: impl Operations<N>,
    form: K::Form,
    count: usize,
) -> bool {
    const FEW_BYTES: usize = 200;
    let is_copied = !K::IS_PLAIN && K::bytes(form) <= FEW_BYTES;
    !operation.is_long() && (is_copied || count < FEW)
}

/// A number, combined with all entries by an operation. Sums are those of the kernel, and products
/// are formed in four chains, for which processors need not wait.
///
/// # Safety
/// There are `count` entries of this form.
unsafe fn reduced<K: Kind>(
    operation: BinaryOp,
    form: K::Form,
    first: K,
    entries: Entries,
    count: usize,
) -> K {
    // SAFETY: by the caller, for `i` below `count`.
    let at = |i: usize| unsafe { entries.get::<K>(form, i) };
    if count >= FEW && matches!(operation, BinaryOp::Add) {
        let is_dense = entries.stride == K::bytes(form) as isize;
        // SAFETY: by the caller; they lie one number after the other.
        if is_dense && let Some(numbers) = unsafe { K::numbers(form, entries.start, count) } {
            return first + sum(MatRef::from_vector(numbers));
        }
        // SAFETY: by the caller.
        let copy = unsafe { gathered::<K>(form, entries.start, [entries.stride, 0], count, 1) };
        if let Ok(copy) = copy {
            return first + sum(copy.view());
        }
    }
    if count >= FEW && matches!(operation, BinaryOp::Mul) {
        let mut chains = [first, at(0), at(1), at(2)];
        (3..count).for_each(|i| chains[i % 4] *= at(i));
        let [a, b, c, d] = chains;
        return (a * b) * (c * d);
    }
    (0..count).fold(first, |total, i| operation.apply([total, at(i)]))
}

/// `square`: a product.
unsafe extern "C" fn square<K: Kind>(
    context: *mut c_void,
    data: *const *mut u8,
    length: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy calls the loop with two operands of this kind.
    unsafe {
        let (count, [x, y]) = operands(data, length, strides);
        run::<K, 2>(BinaryOp::Mul, form_of::<K>(context, 0), count, [x, x], y);
    }
    0
}

/// Computes by kernels: where all lies, if kernels take it there and operands lie one number after
/// the other apart from the output, else in blocks.
///
/// # Safety
/// There are `count` entries of this kind and form everywhere.
unsafe fn run<K: Kind, const N: usize>(
    operation: impl Operations<N>,
    form: K::Form,
    count: usize,
    from: [Entries; N],
    to: Entries,
) {
    let size = K::bytes(form) as isize;
    let is_dense = |x: &Entries| x.stride == size || count == 1;
    let end = |x: &Entries| x.start.wrapping_offset(count as isize * size);
    let is_apart = |x: &Entries| end(x) <= to.start || end(&to) <= x.start;
    let is_output = |x: &Entries| x.start == to.start && x.stride == to.stride;
    let one_number = |x: &Entries| x.stride == 0;
    let is_direct = is_dense(&to)
        && from.iter().all(|x| {
            one_number(x) && !same_place(x, &to, count)
                || is_dense(x) && (is_apart(x) || is_output(x))
        });
    // SAFETY: numbers one after the other, and the output apart from all operands that it is not
    // itself.
    if is_direct && let Some(output) = unsafe { K::numbers_mut(form, to.start, count) } {
        let operands = from.map(|x| match () {
            () if is_output(&x) => Some(Operand::Output),
            // SAFETY: an operand has an entry.
            () if one_number(&x) => Some(Operand::Scalar(unsafe { x.get::<K>(form, 0) })),
            // SAFETY: as above.
            () => unsafe { K::numbers(form, x.start, count) }
                .map(|numbers| Operand::Entries(MatRef::from_vector(numbers))),
        });
        if operands.iter().all(Option::is_some) {
            let operands = operands.map(|operand| operand.unwrap_or(Operand::Output));
            return compute(operation, operands, MatMut::from_vector(output));
        }
    }
    // A result that a later entry takes for an operand, as in `cumsum`.
    let is_chained = |x: &Entries| {
        !is_apart_by_steps(x, &to, count, size) && (x.start != to.start || x.stride != to.stride)
    };
    if from.iter().any(is_chained) {
        for i in 0..count {
            // SAFETY: there is an entry `i` everywhere.
            unsafe { to.set(form, i, operation.apply(from.map(|x| x.get::<K>(form, i)))) };
        }
        return;
    }
    let length = K::BLOCK.min(count);
    let mut blocks = from.map(|_| Numbers::<K>::zeros(form, length));
    let mut results = Numbers::<K>::zeros(form, length);
    for first in (0..count).step_by(K::BLOCK) {
        let count = K::BLOCK.min(count - first);
        for (block, x) in blocks.iter_mut().zip(from) {
            // SAFETY: entries from `first` on.
            unsafe { K::gather(form, x.from(first), block.as_mut_slice().range(0..count)) };
        }
        let block = |n: usize| MatRef::from_vector(blocks[n].as_slice().range(0..count));
        let operands = std::array::from_fn(|n| Operand::Entries(block(n)));
        let output = results.as_mut_slice().range(0..count);
        compute(operation, operands, MatMut::from_vector(output));
        // SAFETY: as above.
        unsafe { K::scatter(form, results.as_slice().range(0..count), to.from(first)) };
    }
}

/// Whether no entry of an operand lies among those of the output.
fn is_apart_by_steps(x: &Entries, to: &Entries, count: usize, size: isize) -> bool {
    let span = |entries: &Entries| {
        let last = entries.start.wrapping_offset((count.max(1) - 1) as isize * entries.stride);
        (entries.start.min(last), entries.start.max(last).wrapping_offset(size))
    };
    let ((x_first, x_end), (first, end)) = (span(x), span(to));
    x_end <= first || end <= x_first
}

/// Whether an operand that does not move lies in the output.
fn same_place(x: &Entries, to: &Entries, count: usize) -> bool {
    let end = to.start.wrapping_offset(count as isize * to.stride.abs());
    (to.start..=end).contains(&x.start)
}

fn compute<K: Kind, const N: usize>(
    operation: impl Operations<N>,
    operands: [Operand<K, MatRef<'_, K>>; N],
    output: MatMut<'_, K>,
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
            fn of($x: $kind, _: <$result as Item>::Form) -> $result {
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
    Reciprocal x K -> K: K::ONE / x;
    Floor x K -> K: x.floor();
    Ceil x K -> K: x.ceil();
    Trunc x K -> K: x.trunc();
    Rint x K -> K: x.round_ties_even();
    Sign x K -> K: x.sign();
    Radians x K -> K: x * K::pi(x.format()) / K::from_f64(180.0);
    Degrees x K -> K: x * K::from_f64(180.0) / K::pi(x.format());
    IsFinite x K -> u8: u8::from(x.is_finite());
    IsNan x K -> u8: u8::from(x.is_nan());
    IsInfinite x K -> u8: u8::from(!x.is_finite() && !x.is_nan());
    SignBit x K -> u8: u8::from(x.is_negative());
    Not x K -> u8: u8::from(x == K::ZERO);
}

map_2! {
    Maximum x y K -> K: if x.is_nan() || x >= y { x } else { y };
    Minimum x y K -> K: if x.is_nan() || x <= y { x } else { y };
    NumberMaximum x y K -> K: if y.is_nan() || x >= y { x } else { y };
    NumberMinimum x y K -> K: if y.is_nan() || x <= y { x } else { y };
    Remainder x y K -> K: remainder(x, y);
    FloorDivide x y K -> K: floor_divide(x, y);
    Fmod x y K -> K: Whole::rem(x, y);
    CopySign x y K -> K: if x.is_negative() == y.is_negative() { x } else { -x };
    Equal x y K -> u8: u8::from(x == y);
    NotEqual x y K -> u8: u8::from(x != y);
    Less x y K -> u8: u8::from(x < y);
    LessEqual x y K -> u8: u8::from(x <= y);
    Greater x y K -> u8: u8::from(x > y);
    GreaterEqual x y K -> u8: u8::from(x >= y);
    And x y K -> u8: u8::from(x != K::ZERO && y != K::ZERO);
    Or x y K -> u8: u8::from(x != K::ZERO || y != K::ZERO);
}

/// `x − ⌊x/y⌋·y`, with the sign of `y`.
fn remainder<K: Kind>(x: K, y: K) -> K {
    let rest = Whole::rem(x, y);
    if rest != K::ZERO && (rest < K::ZERO) != (y < K::ZERO) { rest + y } else { rest }
}

fn floor_divide<K: Kind>(x: K, y: K) -> K {
    if y == K::ZERO {
        return x / y;
    }
    let rest = Whole::rem(x, y);
    let truncated = ((x - rest) / y).round_ties_even();
    let is_above = rest != K::ZERO && (rest < K::ZERO) != (y < K::ZERO);
    if is_above { truncated - K::ONE } else { truncated }
}
