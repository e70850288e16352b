//! The kinds of numbers that are types of NumPy.

use std::ffi::CStr;
use std::ops::Rem;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use nonius::num::{Dd, Plain, Qd, Td};
use nonius::{Mp, Number};
use pyo3::ffi;
use pyo3::prelude::*;

use super::raw::{Descriptor, TypeObject};
use crate::scalar::{DoubleDouble, QuadDouble, TripleDouble};

/// Numbers of some limbs, whose arrays NumPy has.
pub(crate) trait Kind: Number<Format = ()> + Plain + Rem<Output = Self> {
    /// The name in the module.
    const NAME: &'static str;
    /// The name with the module before it.
    const FULL_NAME: &'static CStr;
    /// How many limbs: the more, the higher the kind.
    const LIMBS: usize;

    /// A scalar of Python.
    fn to_scalar(self, py: Python<'_>) -> PyResult<Py<PyAny>>;

    /// The class of scalars.
    fn scalar_class(py: Python<'_>) -> *mut ffi::PyTypeObject;

    /// The type and its instance.
    fn place() -> &'static Place;

    /// The number nearest to one of any precision.
    fn from_mp(x: &Mp) -> Self;

    /// The same number in the highest kind.
    fn to_quad(self) -> Qd;

    /// The number nearest to one of the highest kind.
    fn from_quad(x: Qd) -> Self;

    /// An integer near the number.
    fn rounded(self, how: Rounding) -> Self;

    /// −1, 0 or 1, or NaN.
    fn sign(self) -> Self;

    /// The nearest number of single precision.
    fn nearest_single(self) -> f32;
}

/// To what integer a number is rounded.
#[derive(Clone, Copy)]
pub(crate) enum Rounding {
    /// The largest that is not above.
    Down,
    /// The smallest that is not below.
    Up,
    /// The next towards zero.
    Truncated,
    /// The nearest, of two the even one.
    Nearest,
}

/// Where a type and its instance are, once they are made.
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

macro_rules! kinds {
    ($($number:ident $class:ident $name:literal $full:literal $limbs:literal;)*) => {$(
        impl Kind for $number {
            const NAME: &'static str = $name;
            const FULL_NAME: &'static CStr = $full;
            const LIMBS: usize = $limbs;

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

            fn from_mp(x: &Mp) -> Self {
                x.to_multifloat()
            }

            fn to_quad(self) -> Qd {
                self.convert()
            }

            fn from_quad(x: Qd) -> Self {
                x.convert()
            }

            fn rounded(self, how: Rounding) -> Self {
                match how {
                    Rounding::Down => self.floor(),
                    Rounding::Up => self.ceil(),
                    Rounding::Truncated => self.trunc(),
                    Rounding::Nearest => self.round_ties_even(),
                }
            }

            fn sign(self) -> Self {
                if self == Self::ZERO { self } else { self.signum() }
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
