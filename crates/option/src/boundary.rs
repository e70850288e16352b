//! The boundary of early exercise.

use nonius_linalg::Number;

use crate::contract::Contract;
use crate::discretise::exercise_end;
use crate::evolve::{End, Outcome};
use crate::layout::Mesh;
use crate::read::exercised;

/// Where early exercise begins to pay, at a time.
///
/// ```
/// use nonius_linalg::backend::Cpu;
/// use nonius_option::{Accuracy, Contract, Kind, Request, price};
///
/// let put = Contract::american(Kind::Put, 100.0, 100.0, 1.0, [0.05, 0.0, 0.2]);
/// let accuracy = Accuracy::Tolerance(1e-4);
/// let request = Request { accuracy, boundary: true, ..Request::default() };
/// let prices = price(&Cpu::default(), &[put], &request)?;
/// let boundary = &prices[0].as_ref().unwrap().boundary;
/// // At maturity the holder exercises below the strike, today below 81 or so.
/// let (first, today) = (boundary.first().unwrap(), boundary.last().unwrap());
/// assert!(first.spot > 90.0 && (79.0..83.0).contains(&today.spot));
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundaryPoint<T> {
    /// The time, in years from today.
    pub time: T,
    /// The price of the underlying at which a call is exercised and above, a put and below; within
    /// the distance of two nodes.
    pub spot: T,
}

/// The boundary from maturity to today: the middle between the last node that is exercised and the
/// next. Times without one are left out. At the time of a dividend there may be two, the first of
/// those who hold the option after it, the second just before.
pub(crate) fn boundary<T: Number>(
    contract: &Contract<T>,
    mesh: &Mesh<T>,
    outcome: &Outcome<T>,
    times: &[T],
) -> Vec<BoundaryPoint<T>> {
    let end = exercise_end(contract.kind);
    let points = times.iter().zip(&outcome.contact).filter_map(|(&time, &contact)| {
        let node = exercised(contract, mesh, contact)?;
        let next = match end {
            End::Low => node + 1,
            End::High => node.checked_sub(1)?,
        };
        let spot = (mesh.spots[node] + *mesh.spots.get(next)?).ldexp(-1);
        Some(BoundaryPoint { time, spot })
    });
    points.collect()
}
