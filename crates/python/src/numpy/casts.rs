//! Casts between types: from numbers of NumPy, to them, and between ours.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use nonius::Mp;
use nonius::num::mp::Bits;
use nonius::num::{Dd, Qd, Td};
use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;

use super::item::Item;
use super::kind::{Kind, Place};
use super::loops::{Map1, form_of, operands};
use super::parametric;
use super::raw::{
    Descriptor, Loop, MethodSpec, NO_CASTING, REQUIRES_LOCK, RESOLVE, SAFE, SAME_KIND, TypeObject,
    UNSAFE, by_loop, with_slots,
};
use crate::convert;
use crate::floats::{EXTENDED, HALF, QUADRUPLE};

/// Our types, the lowest first.
pub(super) fn places() -> [&'static Place; 4] {
    [Dd::place(), Td::place(), Qd::place(), Mp::place()]
}

/// The floating-point types of NumPy, by their names in `numpy.dtypes`.
const FLOATS: [&str; 4] = ["Float16DType", "Float32DType", "Float64DType", "LongDoubleDType"];

/// Whether it is a type of real numbers, NumPy's or that of Python's `int`, `float` or `bool`.
pub(super) fn is_real_number(class: *mut TypeObject) -> bool {
    Python::attach(|py| {
        // SAFETY: a type that NumPy holds.
        let class = unsafe { Bound::from_borrowed_ptr(py, class.cast()) };
        let name = class.getattr("__name__").and_then(|name| name.extract::<String>());
        name.is_ok_and(|name| {
            let is_integer = name.starts_with("Int") || name.starts_with("UInt");
            let others = ["BoolDType", "_PyLongDType", "_PyFloatDType"];
            let c_names = ["LongDType", "LongLongDType", "ULongDType", "ULongLongDType"];
            let named = |names: &[&str]| names.contains(&&*name);
            is_integer || named(&FLOATS) || named(&others) || named(&c_names)
        })
    })
}

/// Whether it is the type of arrays of objects.
pub(super) fn is_of_objects(class: *mut TypeObject) -> bool {
    Python::attach(|py| {
        // SAFETY: a type that NumPy holds.
        let class = unsafe { Bound::from_borrowed_ptr(py, class.cast()) };
        let name = class.getattr("__name__").and_then(|name| name.extract::<String>());
        name.is_ok_and(|name| name == "ObjectDType")
    })
}

/// A conversion of each entry.
#[derive(Clone, Copy)]
struct Convert;

impl<K: Kind> Map1<f64, K> for Convert {
    #[inline(always)]
    fn of(x: f64, _: K::Form) -> K {
        K::from_f64(x)
    }
}

impl<K: Kind> Map1<K, f64> for Convert {
    #[inline(always)]
    fn of(x: K, _: ()) -> f64 {
        x.to_f64()
    }
}

impl<K: Kind> Map1<f32, K> for Convert {
    #[inline(always)]
    fn of(x: f32, _: K::Form) -> K {
        K::from_f64(x.into())
    }
}

impl<K: Kind> Map1<K, f32> for Convert {
    #[inline(always)]
    fn of(x: K, _: ()) -> f32 {
        x.nearest_single()
    }
}

macro_rules! from_short_integers {
    ($($number:ty),*) => {$(
        impl<K: Kind> Map1<$number, K> for Convert {
            #[inline(always)]
            fn of(x: $number, _: K::Form) -> K {
                K::from_f64(f64::from(x))
            }
        }

        impl<K: Kind> Map1<K, $number> for Convert {
            /// The integer next to it towards zero; beyond the range the last one there is.
            #[inline(always)]
            fn of(x: K, _: ()) -> $number {
                x.trunc().to_f64() as $number
            }
        }
    )*};
}

from_short_integers!(i8, i16, i32, u8, u16, u32);

macro_rules! from_long_integers {
    ($($number:ty),*) => {$(
        impl<K: Kind> Map1<$number, K> for Convert {
            /// By two parts of 32 bits, exactly.
            #[inline(always)]
            fn of(x: $number, _: K::Form) -> K {
                let low = (x & 0xffff_ffff) as f64;
                K::from_f64((x >> 32) as f64) * K::from_f64(4_294_967_296.0) + K::from_f64(low)
            }
        }

        impl<K: Kind> Map1<K, $number> for Convert {
            #[inline(always)]
            fn of(x: K, _: ()) -> $number {
                let whole = x.trunc();
                let high = whole.to_f64();
                if high.abs() >= 36_893_488_147_419_103_232.0 {
                    // 2^65
                    return high as $number;
                }
                // What the double does not hold is a small integer.
                let low = (whole - K::from_f64(high)).to_f64();
                let sum = (high as i128).saturating_add(low as i128);
                sum.clamp(<$number>::MIN.into(), <$number>::MAX.into()) as $number
            }
        }
    )*};
}

from_long_integers!(i64, u64);

/// A truth value, as a byte.
#[derive(Clone, Copy)]
struct Truth;

impl<K: Kind> Map1<u8, K> for Truth {
    fn of(x: u8, _: K::Form) -> K {
        if x == 0 { K::ZERO } else { K::ONE }
    }
}

impl<K: Kind> Map1<K, u8> for Truth {
    fn of(x: K, _: ()) -> u8 {
        u8::from(x != K::ZERO)
    }
}

/// Bits of the formats of IEEE 754 and the x87 in memory.
#[derive(Clone, Copy)]
struct Coded;

impl<K: Kind> Map1<u16, K> for Coded {
    fn of(x: u16, _: K::Form) -> K {
        K::from_mp(&HALF.decode(x.into()))
    }
}

impl<K: Kind> Map1<K, u16> for Coded {
    fn of(x: K, (): ()) -> u16 {
        HALF.encode(&x.exact()) as u16
    }
}

/// A number of the x87 takes 10 bytes of 16 or 12.
impl<K: Kind, const N: usize> Map1<[u8; N], K> for Coded {
    fn of(x: [u8; N], _: K::Form) -> K {
        let mut bytes = [0; 16];
        bytes[..10].copy_from_slice(&x[..10]);
        K::from_mp(&EXTENDED.decode(u128::from_le_bytes(bytes)))
    }
}

impl<K: Kind, const N: usize> Map1<K, [u8; N]> for Coded {
    fn of(x: K, (): ()) -> [u8; N] {
        let mut bytes = [0; N];
        bytes[..10].copy_from_slice(&EXTENDED.encode(&x.exact()).to_le_bytes()[..10]);
        bytes
    }
}

/// Quadruple precision.
#[derive(Clone, Copy)]
struct Quadruple;

impl<K: Kind> Map1<[u8; 16], K> for Quadruple {
    fn of(x: [u8; 16], _: K::Form) -> K {
        K::from_mp(&QUADRUPLE.decode(u128::from_ne_bytes(x)))
    }
}

impl<K: Kind> Map1<K, [u8; 16]> for Quadruple {
    fn of(x: K, (): ()) -> [u8; 16] {
        QUADRUPLE.encode(&x.exact()).to_ne_bytes()
    }
}

/// The loops from and to `numpy.longdouble`, and the bits of its significand.
fn long_double<K: Kind>(py: Python<'_>) -> PyResult<(Loop, Loop, u32)> {
    let numpy = py.import("numpy")?;
    let class = numpy.getattr("longdouble")?;
    let bytes: usize = numpy.call_method1("dtype", (&class,))?.getattr("itemsize")?.extract()?;
    let stored: u32 = numpy.call_method1("finfo", (&class,))?.getattr("nmant")?.extract()?;
    macro_rules! both {
        ($map:ty, $number:ty) => {
            (<$map as Map1<$number, K>>::LOOP, <$map as Map1<K, $number>>::LOOP)
        };
    }
    let (from, to) = match (stored, bytes) {
        (52, 8) => both!(Convert, f64),
        (63, 12) => both!(Coded, [u8; 12]),
        (63, 16) => both!(Coded, [u8; 16]),
        (112, 16) => both!(Quadruple, [u8; 16]),
        _ => {
            return Err(PyImportError::new_err(format!(
                "nonius does not know the format of numpy.longdouble here: {stored} bits"
            )));
        }
    };
    Ok((from, to, stored + 1))
}

/// From objects: each is rounded once, whatever it is.
unsafe extern "C" fn from_objects<K: Kind>(
    context: *mut c_void,
    data: *const *mut u8,
    length: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy calls the loop with an array of objects and one of this type, and holds
    // Python's lock.
    unsafe {
        let form = form_of::<K>(context, 1);
        let (count, [from, to]) = operands(data, length, strides);
        Python::attach(|py| {
            for i in 0..count {
                let object: *mut ffi::PyObject =
                    from.from(i).start.cast::<*mut ffi::PyObject>().read_unaligned();
                // An entry that nobody set is None.
                let object = Bound::from_borrowed_ptr_or_opt(py, object)
                    .unwrap_or_else(|| py.None().into_bound(py));
                match convert::number::<K>(&object, form) {
                    Ok(number) => to.set(form, i, number),
                    Err(error) => {
                        error.restore(py);
                        return -1;
                    }
                }
            }
            0
        })
    }
}

/// Copies: byte by byte where the instances are the same, else rounded where bits are lost.
unsafe extern "C" fn copy<K: Item>(
    context: *mut c_void,
    data: *const *mut u8,
    length: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy calls the loop with two operands of this type.
    unsafe {
        let (form, to_form) = (form_of::<K>(context, 0), form_of::<K>(context, 1));
        let (count, [from, to]) = operands(data, length, strides);
        if form != to_form {
            (0..count).for_each(|i| to.set(to_form, i, from.get::<K>(form, i)));
            return 0;
        }
        let size = K::bytes(form);
        for i in 0..count {
            std::ptr::copy(from.from(i).start, to.from(i).start, size);
        }
    }
    0
}

/// Between our kinds, rounded where limbs or bits are lost.
#[derive(Clone, Copy)]
struct Between;

macro_rules! between {
    ($($from:ty => $to:ty),*) => {$(
        impl Map1<$from, $to> for Between {
            #[inline(always)]
            fn of(x: $from, (): ()) -> $to {
                x.convert()
            }
        }
    )*};
}

between!(Dd => Td, Dd => Qd, Td => Qd, Td => Dd, Qd => Dd, Qd => Td);

macro_rules! between_mp {
    ($($number:ty),*) => {$(
        impl Map1<$number, Mp> for Between {
            fn of(x: $number, bits: Bits) -> Mp {
                Mp::from_multifloat(bits, x)
            }
        }

        impl Map1<Mp, $number> for Between {
            fn of(x: Mp, (): ()) -> $number {
                x.to_multifloat()
            }
        }
    )*};
}

between_mp!(Dd, Td, Qd);

/// The casts of a kind from and to the types of NumPy, and its copies; closed by null.
pub(super) fn of<K: Kind>(py: Python<'_>) -> PyResult<*mut *mut MethodSpec> {
    let types = py.import("numpy")?.getattr("dtypes")?;
    let class =
        |name: &str| -> PyResult<*mut c_void> { Ok(types.getattr(name)?.into_ptr().cast()) };
    let this = null_mut();
    let mut copy = by_loop(copy::<K>);
    copy.push((RESOLVE, resolve_copy::<K> as *const c_void));
    // For types with instances, this says what the least exact of all casts is.
    let (of_copies, of_wide) = match K::IS_PARAMETRIC {
        true => (SAME_KIND, SAME_KIND),
        false => (NO_CASTING, SAFE),
    };
    let copy = with_slots(c"copy", 1, of_copies, [this; 2], &copy);
    let mut objects = by_loop(from_objects::<K>);
    if K::IS_PARAMETRIC {
        objects.push((RESOLVE, parametric::resolve_from_objects as *const c_void));
    }
    // Without this one NumPy counts objects as unsafe, and no function takes them for operands.
    let pair = [class("ObjectDType")?, this];
    let objects = with_slots(c"from_objects", 1, SAME_KIND, pair, &objects);
    objects.flags |= REQUIRES_LOCK;
    let mut all: Vec<*mut MethodSpec> = vec![copy, objects];
    // Casts from another type with significands of some bits, and back.
    let mut both = |other, bits, [from, to]: [Loop; 2], [up, down]: [c_int; 2]| {
        let (mut from, mut to) = (by_loop(from), by_loop(to));
        if K::IS_PARAMETRIC {
            from.push((RESOLVE, parametric::resolve_from(bits)));
            to.push((RESOLVE, parametric::resolve_to(down)));
        }
        all.push(with_slots(c"from", 1, up, [other, this], &from));
        all.push(with_slots(c"to", 1, down, [this, other], &to));
    };
    macro_rules! with_numpys {
        ($($name:literal $number:ty, $map:ty, $bits:literal, $back:expr;)*) => {$(
            let loops = [<$map as Map1<$number, K>>::LOOP, <$map as Map1<K, $number>>::LOOP];
            both(class($name)?, $bits, loops, [SAFE, $back]);
        )*};
    }
    with_numpys! {
        "Float64DType" f64, Convert, 53, SAME_KIND;
        "Float32DType" f32, Convert, 24, SAME_KIND;
        "Float16DType" u16, Coded, 11, SAME_KIND;
        "Int8DType" i8, Convert, 7, UNSAFE;
        "Int16DType" i16, Convert, 15, UNSAFE;
        "Int32DType" i32, Convert, 31, UNSAFE;
        "Int64DType" i64, Convert, 63, UNSAFE;
        "UInt8DType" u8, Convert, 8, UNSAFE;
        "UInt16DType" u16, Convert, 16, UNSAFE;
        "UInt32DType" u32, Convert, 32, UNSAFE;
        "UInt64DType" u64, Convert, 64, UNSAFE;
        "BoolDType" u8, Truth, 1, UNSAFE;
    }
    // Types of 64 bits that C has twice, where they differ from those above.
    for (name, bits, loops) in [
        ("LongLongDType", 63, [<Convert as Map1<i64, K>>::LOOP, <Convert as Map1<K, i64>>::LOOP]),
        ("ULongLongDType", 64, [<Convert as Map1<u64, K>>::LOOP, <Convert as Map1<K, u64>>::LOOP]),
    ] {
        let names = ["Int64DType", "UInt64DType"];
        let other = class(name)?;
        if names.iter().all(|known| class(known).is_ok_and(|known| known != other)) {
            both(other, bits, loops, [SAFE, UNSAFE]);
        }
    }
    // Sums of limbs have a smaller range.
    let (from, to, bits) = long_double::<K>(py)?;
    let is_exact = bits == 53 || K::IS_PARAMETRIC && bits <= Bits::LEAST;
    let up = if is_exact { SAFE } else { SAME_KIND };
    both(class("LongDoubleDType")?, bits, [from, to], [up, SAME_KIND]);
    // Kinds made before: the higher kinds know how to become lower ones, and the other way round.
    macro_rules! with {
        ($($low:ty, $bits:literal => $high:ty);*) => {$(
            if K::RANK == <$high as Kind>::RANK {
                let low = <$low as Kind>::place().class().cast();
                let up = <Between as Map1<$low, $high>>::LOOP;
                let down = <Between as Map1<$high, $low>>::LOOP;
                both(low, $bits, [up, down], [of_wide, SAME_KIND]);
            }
        )*};
    }
    with!(
        Dd, 104 => Td; Dd, 104 => Qd; Td, 156 => Qd;
        Dd, 104 => Mp; Td, 156 => Mp; Qd, 208 => Mp
    );
    all.push(null_mut());
    Ok(Box::leak(all.into_boxed_slice()).as_mut_ptr())
}

/// A copy is exact unless the second operand has fewer bits.
unsafe extern "C" fn resolve_copy<K: Kind>(
    _: *mut c_void,
    _: *const *mut TypeObject,
    given: *const *mut Descriptor,
    found: *mut *mut Descriptor,
    offset: *mut isize,
) -> c_int {
    // SAFETY: two operands of this type, the second of which may be missing.
    unsafe {
        let from = *given;
        let to = if (*given.add(1)).is_null() { from } else { *given.add(1) };
        for (k, instance) in [from, to].into_iter().enumerate() {
            ffi::Py_IncRef(instance.cast());
            *found.add(k) = instance;
        }
        let (from, to) = (K::form(from), K::form(to));
        if from == to {
            *offset = 0;
            return NO_CASTING;
        }
        if K::wider(from, to) == to { SAFE } else { SAME_KIND }
    }
}
