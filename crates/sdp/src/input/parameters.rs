//! `param.sdpa`.

use std::io::Read;

use nonius_linalg::Token;

use super::error::{Fault, ReadError};
use super::read;
use super::scanner::Scanner;
use crate::parameters::Parameters;

/// The least gap and infeasibility: what is measured is measured in `f64`.
const LEAST_TOLERANCE: f64 = 1e-300;

/// Reads the ten numbers of a parameter file, each the first word of a line, in the order of
/// [`Parameters`]. What follows them, formats of numbers in print, is passed over.
///
/// ```
/// use nonius_sdp::input::read_parameters;
///
/// let text = "100 maxIteration\n1e-12 epsilonStar\n1e2 lambdaStar\n2 omegaStar\n-1e5 lowerBound\n\
///     1e5 upperBound\n0.1 betaStar\n0.3 betaBar\n0.9 gammaStar\n1e-12 epsilonDash\n";
/// let parameters = read_parameters(text.as_bytes())?;
/// assert_eq!((parameters.most_iterations, parameters.gap), (100, 1e-12));
/// assert_eq!(parameters.start, Some(100.0));
/// # Ok::<(), nonius_sdp::input::ReadError>(())
/// ```
///
/// # Errors
/// [`ReadError`].
pub fn read_parameters(input: impl Read) -> Result<Parameters, ReadError> {
    read(input, parse)
}

fn parse(scanner: &mut Scanner<'_>) -> Result<Parameters, ReadError> {
    const ITERATIONS: &str = "maxIteration, a number of iterations";
    scanner.skip_remarks();
    let word = scanner.word(ITERATIONS)?;
    let most_iterations =
        u64::try_from(word.integer(ITERATIONS)?).map_err(|_| word.expected(ITERATIONS))?;
    scanner.skip_line();
    let mut next = |needed: &'static str, is_fit: &dyn Fn(f64) -> bool| -> Result<f64, ReadError> {
        let word = scanner.word(needed)?;
        let value = word.real(needed)?;
        scanner.skip_line();
        let found = Token::new(word.text);
        if is_fit(value) { Ok(value) } else { Err(Fault::Expected { needed, found }.at(word.line)) }
    };
    let positive = |x: f64| x > 0.0;
    let gap =
        next("epsilonStar, a number from 1e-300 to 1", &|x| (LEAST_TOLERANCE..=1.0).contains(&x))?;
    let start = next("lambdaStar, a positive number", &positive)?;
    let reach = next("omegaStar, a number above 1", &|x| x > 1.0)?;
    let lower_bound = next("lowerBound, a number", &|_| true)?;
    let upper_bound = next("upperBound, a number above lowerBound", &|x| x > lower_bound)?;
    let feasible_centring = next("betaStar, from 0 to below 1", &|x| (0.0..1.0).contains(&x))?;
    let infeasible_centring =
        next("betaBar, from betaStar to below 1", &|x| (feasible_centring..1.0).contains(&x))?;
    let step = next("gammaStar, above 0 and below 1", &|x| x > 0.0 && x < 1.0)?;
    let feasibility = next("epsilonDash, a number not below 1e-300", &|x| x >= LEAST_TOLERANCE)?;
    Ok(Parameters {
        most_iterations,
        gap,
        start: Some(start),
        reach,
        lower_bound,
        upper_bound,
        feasible_centring,
        infeasible_centring,
        step,
        feasibility,
        ..Parameters::default()
    })
}
