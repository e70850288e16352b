//! Casts between types: from numbers of NumPy, to them, and between ours.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use nonius::num::{Dd, Plain, Qd, Td};
use pyo3::ffi;
use pyo3::prelude::*;

use super::kind::{Kind, Place, Rounding};
use super::loops::Map1;
use super::raw::{
    Descriptor, METHOD_FLAGS, MethodSpec, NO_CASTING, RESOLVE, SAFE, SAME_KIND, STRIDED_LOOP,
    TypeObject, UNALIGNED_LOOP, UNSAFE, kept, method, slots,
};

/// Our types, the lowest first.
pub(super) fn places() -> [&'static Place; 3] {
    [Dd::place(), Td::place(), Qd::place()]
}

/// The floating-point types of NumPy, by their names in `numpy.dtypes`.
const FLOATS: [&str; 2] = ["Float32DType", "Float64DType"];

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

/// A conversion of each entry.
#[derive(Clone, Copy)]
struct Convert;

impl<K: Kind> Map1<f64, K> for Convert {
    #[inline(always)]
    fn of(x: f64) -> K {
        K::from_f64(x)
    }
}

impl<K: Kind> Map1<K, f64> for Convert {
    #[inline(always)]
    fn of(x: K) -> f64 {
        x.to_f64()
    }
}

impl<K: Kind> Map1<f32, K> for Convert {
    #[inline(always)]
    fn of(x: f32) -> K {
        K::from_f64(x.into())
    }
}

impl<K: Kind> Map1<K, f32> for Convert {
    #[inline(always)]
    fn of(x: K) -> f32 {
        x.nearest_single()
    }
}

macro_rules! from_short_integers {
    ($($number:ty),*) => {$(
        impl<K: Kind> Map1<$number, K> for Convert {
            #[inline(always)]
            fn of(x: $number) -> K {
                K::from_f64(f64::from(x))
            }
        }

        impl<K: Kind> Map1<K, $number> for Convert {
            /// The integer next to it towards zero; beyond the range the last one there is.
            #[inline(always)]
            fn of(x: K) -> $number {
                x.rounded(Rounding::Truncated).to_f64() as $number
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
            fn of(x: $number) -> K {
                let low = (x & 0xffff_ffff) as f64;
                K::from_f64((x >> 32) as f64) * K::from_f64(4_294_967_296.0) + K::from_f64(low)
            }
        }

        impl<K: Kind> Map1<K, $number> for Convert {
            #[inline(always)]
            fn of(x: K) -> $number {
                let whole = x.rounded(Rounding::Truncated);
                let high = whole.to_f64();
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
    fn of(x: u8) -> K {
        if x == 0 { K::ZERO } else { K::ONE }
    }
}

impl<K: Kind> Map1<K, u8> for Truth {
    fn of(x: K) -> u8 {
        u8::from(x != K::ZERO)
    }
}

/// A copy.
#[derive(Clone, Copy)]
struct Same;

impl<K: Plain> Map1<K, K> for Same {
    #[inline(always)]
    fn of(x: K) -> K {
        x
    }
}

/// Between our kinds, rounded where limbs are lost.
#[derive(Clone, Copy)]
struct Between;

macro_rules! between {
    ($($from:ty => $to:ty),*) => {$(
        impl Map1<$from, $to> for Between {
            #[inline(always)]
            fn of(x: $from) -> $to {
                x.convert()
            }
        }
    )*};
}

between!(Dd => Td, Dd => Qd, Td => Qd, Td => Dd, Qd => Dd, Qd => Td);

/// The casts of a kind from and to the types of NumPy, and its copies; closed by null.
pub(super) fn of<K: Kind>(py: Python<'_>) -> PyResult<*mut *mut MethodSpec> {
    let types = py.import("numpy")?.getattr("dtypes")?;
    let class =
        |name: &str| -> PyResult<*mut c_void> { Ok(types.getattr(name)?.into_ptr().cast()) };
    let this = null_mut();
    let copy = <Same as Map1<K, K>>::LOOP as *const c_void;
    let mut all: Vec<*mut MethodSpec> = vec![kept(MethodSpec {
        name: c"copy".as_ptr(),
        inputs: 1,
        outputs: 1,
        casting: NO_CASTING,
        flags: METHOD_FLAGS,
        types: kept([this; 2]).as_mut_ptr(),
        slots: slots(&[
            (RESOLVE, resolve_copy::<K> as *const c_void),
            (STRIDED_LOOP, copy),
            (UNALIGNED_LOOP, copy),
        ]),
    })];
    macro_rules! both {
        ($($name:literal $number:ty, $map:ty, $back:expr;)*) => {$(
            let other = class($name)?;
            let (from, to) = (<$map as Map1<$number, K>>::LOOP, <$map as Map1<K, $number>>::LOOP);
            all.push(method(c"from", 1, SAFE, [other, this], from));
            all.push(method(c"to", 1, $back, [this, other], to));
        )*};
    }
    both! {
        "Float64DType" f64, Convert, SAME_KIND;
        "Float32DType" f32, Convert, SAME_KIND;
        "Int8DType" i8, Convert, UNSAFE;
        "Int16DType" i16, Convert, UNSAFE;
        "Int32DType" i32, Convert, UNSAFE;
        "Int64DType" i64, Convert, UNSAFE;
        "UInt8DType" u8, Convert, UNSAFE;
        "UInt16DType" u16, Convert, UNSAFE;
        "UInt32DType" u32, Convert, UNSAFE;
        "UInt64DType" u64, Convert, UNSAFE;
        "BoolDType" u8, Truth, UNSAFE;
    }
    // Types of 64 bits that C has twice, where they differ from those above.
    for (name, from, to) in [
        ("LongLongDType", <Convert as Map1<i64, K>>::LOOP, <Convert as Map1<K, i64>>::LOOP),
        ("ULongLongDType", <Convert as Map1<u64, K>>::LOOP, <Convert as Map1<K, u64>>::LOOP),
    ] {
        let names = ["Int64DType", "UInt64DType"];
        let other = class(name)?;
        if names.iter().all(|known| class(known).is_ok_and(|known| known != other)) {
            all.push(method(c"from", 1, SAFE, [other, this], from));
            all.push(method(c"to", 1, UNSAFE, [this, other], to));
        }
    }
    // Kinds made before: the higher kinds know how to become lower ones, and the other way round.
    macro_rules! with {
        ($($low:ty => $high:ty),*) => {$(
            if K::LIMBS == <$high as Kind>::LIMBS {
                let low = <$low as Kind>::place().class().cast();
                let up = <Between as Map1<$low, $high>>::LOOP;
                let down = <Between as Map1<$high, $low>>::LOOP;
                all.push(method(c"from", 1, SAFE, [low, this], up));
                all.push(method(c"to", 1, SAME_KIND, [this, low], down));
            }
        )*};
    }
    with!(Dd => Td, Dd => Qd, Td => Qd);
    all.push(null_mut());
    Ok(Box::leak(all.into_boxed_slice()).as_mut_ptr())
}

/// Both operands have the one instance that there is.
unsafe extern "C" fn resolve_copy<K: Kind>(
    _: *mut c_void,
    _: *const *mut TypeObject,
    given: *const *mut Descriptor,
    found: *mut *mut Descriptor,
    offset: *mut isize,
) -> c_int {
    // SAFETY: two operands, the second of which may be missing.
    unsafe {
        for k in 0..2 {
            let instance = *given.add(k);
            let instance = if instance.is_null() { K::place().instance() } else { instance };
            ffi::Py_IncRef(instance.cast());
            *found.add(k) = instance;
        }
        *offset = 0;
    }
    NO_CASTING
}
