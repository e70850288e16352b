//! Machines that prove digits, whose code is compiled with them.

use nonius_num::mp::Bits;

use super::{Data, Determinant, Event, Options, Refusal, Solution};

/// A machine that proves digits.
pub trait Prover {
    /// As [`solve`](super::solve).
    ///
    /// # Errors
    /// As there.
    fn solve(
        &self,
        a: &Data,
        b: &Data,
        options: Options,
        report: &mut dyn FnMut(Event),
    ) -> Result<Solution, Refusal>;

    /// As [`determinant`](super::determinant).
    ///
    /// # Errors
    /// As there.
    fn determinant(
        &self,
        a: &Data,
        options: Options,
        report: &mut dyn FnMut(Bits),
    ) -> Result<Determinant, Refusal>;
}

/// Compiles the proofs of a [`Machine`](crate::certified::Machine) where it stands.
#[macro_export]
macro_rules! compile_proofs {
    ($machine:ty) => {
        impl $crate::certified::Prover for $machine {
            fn solve(
                &self,
                a: &$crate::certified::Data,
                b: &$crate::certified::Data,
                options: $crate::certified::Options,
                report: &mut dyn FnMut($crate::certified::Event),
            ) -> Result<$crate::certified::Solution, $crate::certified::Refusal> {
                $crate::certified::solve(self, a, b, options, report)
            }

            fn determinant(
                &self,
                a: &$crate::certified::Data,
                options: $crate::certified::Options,
                report: &mut dyn FnMut($crate::mp::Bits),
            ) -> Result<$crate::certified::Determinant, $crate::certified::Refusal> {
                $crate::certified::determinant(self, a, options, report)
            }
        }
    };
}
