//! What tasks tell about their results.

use nonius::Device;
use nonius::dense::Reading;
use nonius::device::Place;

/// How good a result is, and where it was computed. A number that is not known is NaN.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Decimal digits of the largest entries that should be right; an estimate.
    pub correct_digits: f64,
    /// Residual beside the data: the backward error of a solution.
    pub relative_residual: f64,
    /// Estimate of the condition number.
    pub condition_estimate: f64,
    /// A proved bound of the relative error of each entry, where digits were asked for.
    pub error_bound: f64,
    /// Digits that are proved; 0 where none were asked for.
    pub digits_proved: u32,
    /// 1 where the result is exact, else 0.
    pub is_exact: i32,
    /// The number of the GPU, -1 for the CPU, -2 for all GPUs.
    pub device: i32,
    /// 1 where matrices were in the host's memory, because the GPU's was too small, else 0.
    pub out_of_core: i32,
}

impl Report {
    /// Nothing is known but the place.
    pub(crate) fn at(place: &Place) -> Self {
        let device = match place.device {
            Device::Cuda(ordinal) => i32::try_from(ordinal).unwrap_or(i32::MAX),
            Device::CudaAll => -2,
            Device::Auto | Device::Cpu => -1,
        };
        Self {
            correct_digits: f64::NAN,
            relative_residual: f64::NAN,
            condition_estimate: f64::NAN,
            error_bound: f64::NAN,
            digits_proved: 0,
            is_exact: 0,
            device,
            out_of_core: place.out_of_core.into(),
        }
    }

    pub(crate) fn judged(
        place: &Place,
        digits: f64,
        residual: Option<Reading>,
        condition: Option<Reading>,
    ) -> Self {
        let number = |reading: Option<Reading>| reading.map_or(f64::NAN, Reading::to_f64);
        Self {
            correct_digits: digits,
            relative_residual: number(residual),
            condition_estimate: number(condition),
            ..Self::at(place)
        }
    }
}
