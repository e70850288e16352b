//! The kinds of numbers that are types of NumPy.

use std::ffi::CStr;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use nonius::num::mp::Bits;
use nonius::num::{Dd, Qd, Td};
use nonius::{Mp, Number, Whole};
use pyo3::ffi;
use pyo3::prelude::*;

use super::instances;
use super::item::InPlace;
use super::raw::{Descriptor, TypeObject};
use crate::exact::{Exact, most_bits};
use crate::floats;
use crate::scalar::{DoubleDouble, Multiprecision, QuadDouble, TripleDouble};

/// Numbers whose arrays NumPy has.
pub(crate) trait Kind: Number + Whole + InPlace {
    /// The name in the module.
    const NAME: &'static str;
    /// The name with the module before it.
    const FULL_NAME: &'static CStr;
    /// The order of the kinds: of two, the one with the larger rank is the higher one.
    const RANK: usize;
    /// Whether the type has an instance for each format.
    const IS_PARAMETRIC: bool = false;
    /// Entries that are computed at a time, where they do not lie one after the other.
    const BLOCK: usize = 256;

    /// A scalar of Python.
    fn to_scalar(self, py: Python<'_>) -> PyResult<Py<PyAny>>;

    /// The class of scalars.
    fn scalar_class(py: Python<'_>) -> *mut ffi::PyTypeObject;

    /// Where the type is.
    fn place() -> &'static Place;

    /// The instance of a format, which lives on.
    fn instance(format: Self::Format) -> *mut Descriptor;

    /// The format of results with numbers of both.
    fn wider(a: Self::Format, b: Self::Format) -> Self::Format;

    /// The number nearest to one of any precision: that one, where the format allows any.
    fn from_mp(x: &Mp) -> Self;

    /// The number of a format nearest to an exact one.
    fn nearest_to(format: Self::Format, x: &Exact) -> Self;

    /// The nearest number of four limbs.
    fn to_quad(self) -> Qd;

    /// The number of a format nearest to one of four limbs.
    fn from_quad(format: Self::Format, x: Qd) -> Self;

    /// −1, 0 or 1, or NaN.
    fn sign(self) -> Self;

    /// Whether the sign bit is set, that of zero too.
    fn is_negative(self) -> bool;

    /// The nearest number of single precision.
    fn nearest_single(self) -> f32;

    /// The same number with all bits it can have.
    fn exact(self) -> Mp;
}

/// Where a type is, once it is made, and the instance of a type that has one.
pub(crate) struct Place {
    class: AtomicPtr<TypeObject>,
    instance: AtomicPtr<Descriptor>,
}

impl Place {
    const fn empty() -> Self {
        Self { class: AtomicPtr::new(null_mut()), instance: AtomicPtr::new(null_mut()) }
    }

    pub(super) fn set_class(&self, class: *mut TypeObject) {
        self.class.store(class, Ordering::Release);
    }

    pub(super) fn set_instance(&self, instance: *mut Descriptor) {
        self.instance.store(instance, Ordering::Release);
    }

    /// The type.
    pub(super) fn class(&self) -> *mut TypeObject {
        self.class.load(Ordering::Acquire)
    }

    /// The instance, `nonius.dd`.
    pub(super) fn instance(&self) -> *mut Descriptor {
        self.instance.load(Ordering::Acquire)
    }
}

/// What kinds of limbs and of any precision say in the same words.
macro_rules! names {
    ($class:ident $name:literal $full:literal $rank:literal) => {
        const NAME: &'static str = $name;
        const FULL_NAME: &'static CStr = $full;
        const RANK: usize = $rank;

        fn to_scalar(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            Ok(Py::new(py, $class(self))?.into_any())
        }

        fn scalar_class(py: Python<'_>) -> *mut ffi::PyTypeObject {
            py.get_type::<$class>().as_type_ptr()
        }

        fn place() -> &'static Place {
            static PLACE: Place = Place::empty();
            &PLACE
        }
    };
}

macro_rules! kinds {
    ($($number:ident $class:ident $name:literal $full:literal $rank:literal;)*) => {$(
        impl Kind for $number {
            names!($class $name $full $rank);

            fn instance((): ()) -> *mut Descriptor {
                Self::place().instance()
            }

            fn wider((): (), (): ()) {}

            fn from_mp(x: &Mp) -> Self {
                x.to_multifloat()
            }

            fn nearest_to((): (), x: &Exact) -> Self {
                x.for_limbs().to_multifloat()
            }

            fn to_quad(self) -> Qd {
                self.convert()
            }

            fn from_quad((): (), x: Qd) -> Self {
                x.convert()
            }

            fn exact(self) -> Mp {
                Mp::from_multifloat(most_bits(), self)
            }

            fn sign(self) -> Self {
                if self == Self::ZERO { self } else { self.signum() }
            }

            #[inline(always)]
            fn is_negative(self) -> bool {
                self.is_sign_negative()
            }

            fn nearest_single(self) -> f32 {
                self.to_f32()
            }
        }
    )*};
}

kinds! {
    Dd DoubleDouble "dd" c"nonius.dd" 2;
    Td TripleDouble "td" c"nonius.td" 3;
    Qd QuadDouble "qd" c"nonius.qd" 4;
}

/// The instances of `nonius.mp`, by their bits.
static OF_BITS: [AtomicPtr<Descriptor>; Bits::MOST as usize + 1] =
    [const { AtomicPtr::new(null_mut()) }; Bits::MOST as usize + 1];

impl Kind for Mp {
    names!(Multiprecision "mp" c"nonius.mp" 5);

    const IS_PARAMETRIC: bool = true;
    /// As many as occupy some threads.
    const BLOCK: usize = 2048;

    /// Made when it is first asked for; null, with an error set, where memory does not do.
    fn instance(bits: Bits) -> *mut Descriptor {
        let place = &OF_BITS[bits.get() as usize];
        let known = place.load(Ordering::Acquire);
        if !known.is_null() {
            return known;
        }
        let scalar = Python::attach(Self::scalar_class);
        let made = instances::of_bits(Self::place().class(), scalar, bits);
        match place.compare_exchange(null_mut(), made, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => made,
            Err(known) => {
                // SAFETY: an object that was made here, or null.
                unsafe { ffi::Py_XDECREF(made.cast()) };
                known
            }
        }
    }

    fn wider(a: Bits, b: Bits) -> Bits {
        a.max(b)
    }

    fn from_mp(x: &Mp) -> Self {
        *x
    }

    fn nearest_to(bits: Bits, x: &Exact) -> Self {
        Mp::rounded(bits, x.is_negative, &x.words, x.exponent, x.is_more)
    }

    fn to_quad(self) -> Qd {
        self.to_multifloat()
    }

    fn from_quad(bits: Bits, x: Qd) -> Self {
        Mp::from_multifloat(bits, x)
    }

    fn exact(self) -> Mp {
        self
    }

    fn sign(self) -> Self {
        if self.is_nan() || self.is_zero() {
            return self;
        }
        let one = Mp::one(self.bits());
        if self.head().is_negative() { -one } else { one }
    }

    fn is_negative(self) -> bool {
        self.head().is_negative()
    }

    fn nearest_single(self) -> f32 {
        floats::to_single(&self)
    }
}
