//! Which precisions a run goes through.

use nonius_num::Precision;
use nonius_num::mp::Bits;

use super::options::{Options, Start};
use super::precision::{LastPrecision, usual_gap};

/// Bits of the last precisions of [`LastPrecision::Auto`].
const LAST: [u32; 2] = [424, 848];
/// How many times the bits of a precision the next one has at least.
const LEAST_BITS_FACTOR: f64 = 1.9;

/// The precisions of a run, in their order.
pub(super) fn stages(options: &Options, start: Option<&Start>) -> Vec<Precision> {
    let bits = LAST.into_iter().filter_map(|bits| Bits::new(bits).ok());
    let all =
        [Precision::F64, Precision::Dd, Precision::Qd].into_iter().chain(bits.map(Precision::Mp));
    let is_point = matches!(start, Some(Start::Point(_)));
    let mut stages: Vec<Precision> = match options.precision {
        LastPrecision::Auto if is_point => {
            all.filter(|precision| *precision != Precision::F64).collect()
        }
        LastPrecision::Auto => all.collect(),
        LastPrecision::Fixed(last) if options.at_once || is_point => vec![last],
        LastPrecision::Fixed(last) => {
            let is_lower = |precision: &Precision| {
                f64::from(precision.bits()) * LEAST_BITS_FACTOR <= f64::from(last.bits())
            };
            all.filter(is_lower).chain([last]).collect()
        }
    };
    if let Some(Start::Checkpoint(checkpoint)) = start {
        let bits = checkpoint.point.precision().bits();
        let passed = stages.iter().take_while(|precision| precision.bits() < bits).count();
        // Where all are, the last one is what was asked for.
        stages.drain(..passed.min(stages.len() - 1));
    }
    stages
}

/// The precisions that a run is expected to go through: one that chooses its last ends in the first
/// that meets the gap.
pub(super) fn expected(options: &Options, start: Option<&Start>) -> Vec<Precision> {
    let mut stages = stages(options, start);
    let gap = options.gap();
    let enough = stages.iter().position(|&precision| usual_gap(precision) <= gap);
    stages.truncate(enough.map_or(stages.len(), |last| last + 1));
    stages
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ladder::{AnyPoint, Checkpoint, PointFormat};
    use crate::{Parameters, Solution};

    /// The stages of a run that goes on.
    fn resumed(precision: &str, left_in: &str, at_once: bool) -> String {
        let problem = crate::input::read_sparse(&mut "1\n1\n-1\n1\n1 1 1 1 1\n".as_bytes());
        let left_in: Precision = left_in.parse().unwrap();
        let point =
            AnyPoint::read(&mut "1\n".as_bytes(), PointFormat::Sparse, left_in, &problem.unwrap());
        let checkpoint = Checkpoint { point: point.unwrap(), iterations: 3 };
        let options = Options {
            precision: precision.parse().unwrap(),
            at_once,
            then_proved: false,
            parameters: Parameters::default(),
            gap: None,
            feasibility: None,
        };
        let stages = stages(&options, Some(&Start::Checkpoint(checkpoint)));
        stages.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn runs_go_on_where_they_were_left() {
        assert_eq!(resumed("qd", "f64", false), "f64 dd qd");
        assert_eq!(resumed("qd", "dd", false), "dd qd");
        assert_eq!(resumed("qd", "dd", true), "qd");
        assert_eq!(resumed("mp256", "td", false), "mp256");
        assert_eq!(resumed("dd", "mp424", false), "dd");
        assert_eq!(resumed("auto", "qd", false), "qd mp424 mp848");
    }

    #[test]
    fn points_begin_in_the_precision_to_end_in() {
        let x = Vec::<f64>::new().into();
        let point = AnyPoint::of(Solution { x, primal: Vec::new(), dual: Vec::new() });
        let options = Options {
            precision: LastPrecision::Fixed(Precision::Qd),
            at_once: false,
            then_proved: false,
            parameters: Parameters::default(),
            gap: None,
            feasibility: None,
        };
        let start = Start::Point(point);
        assert_eq!(stages(&options, Some(&start)), [Precision::Qd]);
        assert_eq!(stages(&options, None), [Precision::F64, Precision::Dd, Precision::Qd]);
    }
}
