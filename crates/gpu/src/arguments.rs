//! What kernels take: structures that are declared once, for both sides.
//!
//! [`kernel_arguments!`](crate::kernel_arguments) declares a structure that the host fills in and from which the text
//! that kernels include is made. Sizes of its members are compared where that text is compiled, and so is
//! what each [`Entry`] takes.

use core::ffi::CStr;
use core::fmt;
use core::marker::PhantomData;

use crate::plain::Plain;

/// A type that kernels know.
pub trait KernelType {
    /// The declaration of a member, or of what a pointer points to, with that name.
    fn declare(name: &str) -> String;
}

macro_rules! numbers {
    ($($type:ty, $name:literal;)*) => {$(
        impl KernelType for $type {
            fn declare(name: &str) -> String {
                format!(concat!($name, " {}"), name)
            }
        }
    )*};
}

numbers! {
    u8, "unsigned char";
    i8, "signed char";
    u16, "unsigned short";
    i32, "int";
    u32, "unsigned";
    i64, "long long";
    u64, "unsigned long long";
    f32, "float";
    f64, "double";
}

impl<T: KernelType, const N: usize> KernelType for [T; N] {
    fn declare(name: &str) -> String {
        T::declare(&format!("{name}[{N}]"))
    }
}

/// A kernel's pointer to numbers of type `T` in a device's memory, or in the host's where the device sees that.
#[repr(transparent)]
pub struct Pointer<T>(u64, PhantomData<T>);

// SAFETY: eight bytes of any value, as a pointer has on a device.
unsafe impl<T> Plain for Pointer<T> {}

impl<T> Pointer<T> {
    /// Points to nothing.
    pub const NULL: Self = Self::at(0);

    /// To that address.
    pub const fn at(address: u64) -> Self {
        Self(address, PhantomData)
    }
}

impl<T> Clone for Pointer<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Pointer<T> {}

impl<T> fmt::Debug for Pointer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl<T: KernelType> KernelType for Pointer<T> {
    fn declare(name: &str) -> String {
        T::declare(&format!("*{name}"))
    }
}

/// A structure that [`kernel_arguments!`](crate::kernel_arguments) declares.
pub trait Arguments: Plain {
    /// Its name.
    const NAME: &'static str;

    /// Its text for kernels.
    fn text() -> String;
}

/// A kernel by its name, and what it takes.
#[derive(Debug)]
pub struct Entry<A> {
    name: &'static CStr,
    arguments: PhantomData<fn(A)>,
}

impl<A> Clone for Entry<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Entry<A> {}

impl<A: Arguments> Entry<A> {
    /// The kernel of that name, `extern "C"`, which takes one `A`.
    pub const fn new(name: &'static CStr) -> Self {
        Self { name, arguments: PhantomData }
    }

    /// Its name.
    pub const fn name(self) -> &'static CStr {
        self.name
    }
}

/// The text of a structure whose members have these declarations, names and sizes, and no gaps between them: with
/// the same sizes there they lie in the same places.
#[doc(hidden)]
pub fn structure(name: &str, size: usize, members: &[(String, &str, usize)]) -> String {
    let mut text = format!("struct {name} {{\n");
    for (declaration, ..) in members {
        text += &format!("    {declaration};\n");
    }
    text += "};\n";
    let says = |condition: String, what: &str| {
        format!("static_assert({condition}, \"{what} in {name} is the host's\");\n")
    };
    text += &says(format!("sizeof({name}) == {size}"), "the sum of sizes");
    for (_, member, size) in members {
        text += &says(format!("sizeof({name}::{member}) == {size}"), &format!("{member}'s size"));
    }
    text
}

/// Declares types of which only kernels know more than the name: what pointers point to.
///
/// Kernels include `arguments.cuh` after their declarations of them.
#[macro_export]
macro_rules! kernel_types {
    ($($(#[$attribute:meta])* $visible:vis $name:ident;)*) => {$(
        $(#[$attribute])*
        #[derive(Debug)]
        $visible enum $name {}

        impl $crate::KernelType for $name {
            fn declare(name: &str) -> String {
                format!(concat!(stringify!($name), " {}"), name)
            }
        }
    )*};
}

/// Declares a structure that a kernel takes: as a type here, whose members have the same names and places in the text that the kernel includes.
///
/// Members are [`KernelType`]s without gaps between them.
///
/// ```
/// nonius_gpu::kernel_arguments! {
///     /// `y ← a·x + y`
///     pub struct Axpy {
///         count: i64,
///         a: f64,
///         x: nonius_gpu::Pointer<f64>,
///         y: nonius_gpu::Pointer<f64>,
///     }
/// }
/// assert!(<Axpy as nonius_gpu::Arguments>::text().contains("    double *x;\n"));
/// ```
#[macro_export]
macro_rules! kernel_arguments {
    ($(
        $(#[$attribute:meta])*
        $visible:vis struct $name:ident {
            $($(#[$of_member:meta])* $shown:vis $member:ident: $type:ty,)*
        }
    )*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        #[repr(C)]
        $visible struct $name {
            $($(#[$of_member])* $shown $member: $type,)*
        }

        const _: () = assert!(
            size_of::<$name>() == 0 $(+ size_of::<$type>())*,
            "there is a gap between members",
        );

        const _: fn() = || {
            const fn plain<P: $crate::Plain>() {}
            $(plain::<$type>();)*
        };

        // SAFETY: `repr(C)`, members that are plain themselves, and no gaps.
        unsafe impl $crate::Plain for $name {}

        impl $crate::KernelType for $name {
            fn declare(name: &str) -> String {
                format!(concat!(stringify!($name), " {}"), name)
            }
        }

        impl $crate::Arguments for $name {
            const NAME: &'static str = stringify!($name);

            fn text() -> String {
                $crate::structure(
                    stringify!($name),
                    size_of::<$name>(),
                    &[$((
                        <$type as $crate::KernelType>::declare(stringify!($member)),
                        stringify!($member),
                        size_of::<$type>(),
                    )),*],
                )
            }
        }
    )*};
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    kernel_arguments! {
        /// What a kernel takes.
        pub(crate) struct Taken {
            pub(crate) count: i64,
            pub(crate) pair: [u32; 2],
            pub(crate) from: Pointer<f64>,
            pub(crate) to: [Pointer<u16>; 3],
        }
    }

    #[test]
    fn structures_are_declared_as_kernels_see_them() {
        let text = "struct Taken {
    long long count;
    unsigned pair[2];
    double *from;
    unsigned short *to[3];
};
static_assert(sizeof(Taken) == 48, \"the sum of sizes in Taken is the host's\");
static_assert(sizeof(Taken::count) == 8, \"count's size in Taken is the host's\");
static_assert(sizeof(Taken::pair) == 8, \"pair's size in Taken is the host's\");
static_assert(sizeof(Taken::from) == 8, \"from's size in Taken is the host's\");
static_assert(sizeof(Taken::to) == 24, \"to's size in Taken is the host's\");
";
        assert_eq!(Taken::text(), text);
        assert_eq!(Taken::declare("x"), "Taken x");
    }
}
