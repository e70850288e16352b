//! What kernels take: structures that are declared once, for both sides.
//!
//! [`kernel_arguments!`](crate::kernel_arguments) declares a structure that the host fills in and
//! from which the text that kernels include is made.
//! [`kernel_parameters!`](crate::kernel_parameters) declares parameters that a kernel takes one by
//! one. Where a module is compiled, sizes of members are compared, and so is what each [`Entry`]
//! takes.

use core::ffi::{CStr, c_void};
use core::fmt;
use core::marker::PhantomData;

use crate::plain::Plain;

/// A type that kernels know.
pub trait KernelType {
    /// The declaration of a member, or of what a pointer points to, with that name.
    fn declare(name: &str) -> String;

    /// The structures that the declaration needs, names and texts, those first that others have as
    /// members.
    fn structures() -> Vec<(&'static str, String)> {
        Vec::new()
    }
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

    fn structures() -> Vec<(&'static str, String)> {
        T::structures()
    }
}

/// A kernel's pointer to numbers of type `T` in a device's memory, or in the host's where the
/// device sees that.
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

impl<T: Plain> Pointer<T> {
    /// To the number `count` places further.
    #[must_use]
    pub const fn add(self, count: usize) -> Self {
        Self::at(self.0 + (count * size_of::<T>()) as u64)
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

    fn structures() -> Vec<(&'static str, String)> {
        T::structures()
    }
}

/// What a pointer points to that the kernel does not write.
#[derive(Debug)]
pub struct Const<T>(PhantomData<T>);

impl<T: KernelType> KernelType for Const<T> {
    fn declare(name: &str) -> String {
        format!("const {}", T::declare(name))
    }

    fn structures() -> Vec<(&'static str, String)> {
        T::structures()
    }
}

impl<T> From<Pointer<T>> for Pointer<Const<T>> {
    fn from(pointer: Pointer<T>) -> Self {
        Self::at(pointer.0)
    }
}

/// All that a kernel takes.
pub trait Arguments {
    /// The types of the parameters.
    fn types() -> String;

    /// The structures that these need, names and texts, those first that others have as members.
    fn structures() -> Vec<(&'static str, String)>;

    /// Where the parameters are.
    fn places(&self) -> Vec<*const c_void>;
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

/// The text of a structure whose members have these declarations, names and sizes, and no gaps
/// between them: with the same sizes there they lie in the same places.
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
/// Kernels include `arguments.cuh` after their declarations of them. What they call it, where that
/// is no name for a type here, follows the name.
///
/// ```
/// nonius_gpu::kernel_types! {
///     /// A vector.
///     pub Vector = "V3<double>";
/// }
/// assert_eq!(<Vector as nonius_gpu::KernelType>::declare("x"), "V3<double> x");
/// ```
#[macro_export]
macro_rules! kernel_types {
    ($($(#[$attribute:meta])* $visible:vis $name:ident $(= $text:literal)?;)*) => {$(
        $(#[$attribute])*
        #[derive(Debug)]
        $visible enum $name {}

        impl $crate::KernelType for $name {
            fn declare(name: &str) -> String {
                format!("{} {name}", [$($text,)? stringify!($name)][0])
            }
        }
    )*};
}

/// Declares a structure that a kernel takes: as a type here, whose members have the same names and
/// places in the text that the kernel includes.
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
/// let text = &<Axpy as nonius_gpu::Arguments>::structures()[0].1;
/// assert!(text.contains("    double *x;\n"));
/// ```
///
/// One type of members may be a parameter: kernels of one text then take another structure in each
/// module.
///
/// ```
/// nonius_gpu::kernel_arguments! {
///     /// A number to be rounded.
///     pub struct Rounding<N> {
///         from: N,
///         to: nonius_gpu::Pointer<i64>,
///     }
/// }
/// let text = &<Rounding<f64> as nonius_gpu::Arguments>::structures()[0].1;
/// assert!(text.contains("    double from;\n"));
/// ```
#[macro_export]
macro_rules! kernel_arguments {
    (@gaps [] $name:ident $($type:ty,)*) => {
        const _: () = assert!(
            size_of::<$name>() == 0 $(+ size_of::<$type>())*,
            "there is a gap between members",
        );
    };
    (@gaps [$parameter:ident] $name:ident $($type:ty,)*) => {};
    ($(
        $(#[$attribute:meta])*
        $visible:vis struct $name:ident $(<$parameter:ident>)? {
            $($(#[$of_member:meta])* $shown:vis $member:ident: $type:ty,)*
        }
    )*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        #[repr(C)]
        $visible struct $name $(<$parameter>)? {
            $($(#[$of_member])* $shown $member: $type,)*
        }

        $crate::kernel_arguments!(@gaps [$($parameter)?] $name $($type,)*);

        // SAFETY: `repr(C)`, members that are plain themselves, and no gaps. Where there is a
        // parameter, gaps are an error where the text is made.
        unsafe impl $(<$parameter: $crate::Plain>)? $crate::Plain for $name $(<$parameter>)? {}

        impl $(<$parameter: $crate::KernelType + $crate::Plain>)? $crate::KernelType
            for $name $(<$parameter>)?
        {
            fn declare(name: &str) -> String {
                format!(concat!(stringify!($name), " {}"), name)
            }

            fn structures() -> Vec<(&'static str, String)> {
                const fn plain<P: $crate::Plain>() {}
                $(plain::<$type>();)*
                const {
                    assert!(
                        size_of::<Self>() == 0 $(+ size_of::<$type>())*,
                        "there is a gap between members",
                    );
                }
                let mut all = Vec::new();
                $(all.extend(<$type as $crate::KernelType>::structures());)*
                let text = $crate::structure(
                    stringify!($name),
                    size_of::<Self>(),
                    &[$((
                        <$type as $crate::KernelType>::declare(stringify!($member)),
                        stringify!($member),
                        size_of::<$type>(),
                    )),*],
                );
                all.push((stringify!($name), text));
                all
            }
        }

        impl $(<$parameter: $crate::KernelType + $crate::Plain>)? $crate::Arguments
            for $name $(<$parameter>)?
        {
            fn types() -> String {
                stringify!($name).into()
            }

            fn structures() -> Vec<(&'static str, String)> {
                <Self as $crate::KernelType>::structures()
            }

            fn places(&self) -> Vec<*const core::ffi::c_void> {
                vec![core::ptr::from_ref(self).cast()]
            }
        }
    )*};
}

/// Declares what a kernel takes as parameters, one by one: a type here whose members are the
/// parameters in their order.
///
/// A kernel whose parameters are few numbers and pointers compiles to other code where they are
/// members of a structure.
#[macro_export]
macro_rules! kernel_parameters {
    ($(
        $(#[$attribute:meta])*
        $visible:vis struct $name:ident {
            $($(#[$of_member:meta])* $shown:vis $member:ident: $type:ty,)*
        }
    )*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        $visible struct $name {
            $($(#[$of_member])* $shown $member: $type,)*
        }

        const _: fn() = || {
            const fn plain<P: $crate::Plain>() {}
            $(plain::<$type>();)*
        };

        impl $crate::Arguments for $name {
            fn types() -> String {
                [$(<$type as $crate::KernelType>::declare("")),*].join(", ")
            }

            fn structures() -> Vec<(&'static str, String)> {
                let mut all = Vec::new();
                $(all.extend(<$type as $crate::KernelType>::structures());)*
                all
            }

            fn places(&self) -> Vec<*const core::ffi::c_void> {
                vec![$(core::ptr::from_ref(&self.$member).cast()),*]
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
        assert_eq!(<Taken as KernelType>::structures(), [("Taken", text.to_string())]);
        assert_eq!(Taken::declare("x"), "Taken x");
    }

    kernel_arguments! {
        /// What kernels take that have it of several types.
        struct Either<N> {
            first: N,
            pair: [N; 2],
            to: Pointer<N>,
        }

        /// Two of them.
        struct Both<N> {
            either: [Either<N>; 2],
        }
    }

    #[test]
    fn structures_may_have_members_of_a_type_that_is_a_parameter() {
        for (all, number) in [
            (<Both<u64> as Arguments>::structures(), "unsigned long long"),
            (<Both<f64> as Arguments>::structures(), "double"),
        ] {
            let [(inner, text), (outer, _)] = &all[..] else { panic!("{all:?}") };
            assert_eq!((*inner, *outer), ("Either", "Both"));
            let members = format!("{number} first;\n    {number} pair[2];\n    {number} *to;\n");
            assert!(text.contains(&members), "{text}");
        }
    }

    kernel_parameters! {
        /// What another kernel takes one by one.
        struct Given {
            count: i64,
            from: Pointer<Const<f64>>,
            taken: Taken,
        }
    }

    #[test]
    fn parameters_are_named_one_by_one() {
        assert_eq!(Given::types(), "long long , const double *, Taken ");
        assert_eq!(<Given as Arguments>::structures()[0].0, "Taken");
        let taken = Taken { count: 1, pair: [2; 2], from: Pointer::NULL, to: [Pointer::NULL; 3] };
        let given = Given { count: 1, from: Pointer::at(256), taken };
        let places = given.places();
        assert_eq!(places.len(), 3);
        assert_eq!(places[0], core::ptr::from_ref(&given.count).cast());
        assert_eq!(places[2], core::ptr::from_ref(&given.taken).cast());
    }
}
