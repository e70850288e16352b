//! Matrices that one rank has read.

use nonius_linalg::backend::Words;
use nonius_linalg::krylov::HostSpace;
use nonius_linalg::sparse::{Coo, Csr, Layout};
use nonius_linalg::{Error, Number, Numbers};

use super::matrix::cut;
use super::rows::Rows;
use super::team::lost;
use crate::Communicator;
use crate::item::zeros;

/// Ranks call all operations in one order, so that one tag does.
const TAG: u16 = 2;

/// Gives each rank its rows of a square matrix that rank 0 has, by the entries of each row, with
/// columns of the whole. All ranks call it, with the format of the values.
///
/// Panics where rank 0 gives no matrix.
///
/// # Errors
/// On rank 0 [`Error::NotSquare`], which the others learn of; [`Error::TooLarge`],
/// [`Error::Precision`], [`Error::Device`].
pub fn scatter<V: Number>(
    ranks: &Communicator,
    format: V::Format,
    a: Option<&Csr<V>>,
) -> Result<(Rows, Csr<V>), Error> {
    let numbers = HostSpace::<V>::new(format);
    let size = ranks.size();
    if ranks.rank() > 0 {
        let mut cuts: Vec<u64> = zeros(size + 1).map_err(lost)?;
        ranks.broadcast(0, &mut cuts).map_err(lost)?;
        let cuts: Vec<usize> = cuts.into_iter().map(|cut| cut as usize).collect();
        let rows = Rows::from_cuts(&cuts);
        let here = receive(ranks, &numbers, &rows)?;
        return Ok((rows, here));
    }
    let a = a.unwrap_or_else(|| panic!("rank 0 has a matrix"));
    let checked = Error::check_square(a.shape())
        .and_then(|()| Error::check_format::<V>("a", format, a.values().format()));
    checked.inspect_err(|error| ranks.fail(&error.to_string()))?;
    let rows = Rows::of_matrix(size, a);
    let mut cuts: Vec<u64> = rows.cuts().iter().map(|&cut| cut as u64).collect();
    ranks.broadcast(0, &mut cuts).map_err(lost)?;
    for rank in 1..size {
        send(ranks, &numbers, rank, &cut(a, rows.of(rank))?)?;
    }
    let here = cut(a, rows.of(0))?;
    Ok((rows, here))
}

/// The entries of each row and the words of a number; columns; values.
fn send<V: Number>(
    ranks: &Communicator,
    numbers: &HostSpace<V>,
    to: usize,
    part: &Csr<V>,
) -> Result<(), Error> {
    let rows = 0..part.shape().0;
    let counts: Vec<u32> = rows.clone().map(|row| part.row(row).len() as u32).collect();
    let columns = rows.flat_map(|row| part.row(row).map(|(_, col)| col as u32));
    let mut words = Vec::new();
    numbers.pack(part.values(), 0..part.entries(), &mut words);
    ranks.send(to, TAG, &counts).map_err(lost)?;
    ranks.send(to, TAG, &columns.collect::<Vec<u32>>()).map_err(lost)?;
    ranks.send(to, TAG, &words).map_err(lost)
}

fn receive<V: Number>(
    ranks: &Communicator,
    numbers: &HostSpace<V>,
    rows: &Rows,
) -> Result<Csr<V>, Error> {
    let mut counts: Vec<u32> = zeros(rows.of(ranks.rank()).len()).map_err(lost)?;
    ranks.receive(0, TAG, &mut counts).map_err(lost)?;
    let entries = counts.iter().map(|&count| count as usize).sum();
    let mut columns: Vec<u32> = zeros(entries).map_err(lost)?;
    ranks.receive(0, TAG, &mut columns).map_err(lost)?;
    let mut words = zeros(entries * numbers.words()).map_err(lost)?;
    ranks.receive(0, TAG, &mut words).map_err(lost)?;
    let (height, width) = (counts.len(), rows.order());
    let too_large = || Error::TooLarge { rows: height, cols: width };
    let mut values = Numbers::try_zeros(numbers.format(), entries).ok_or_else(too_large)?;
    numbers.unpack(&words, &mut values, 0..entries);
    let of_entries = counts.iter().enumerate();
    let of_entries = of_entries.flat_map(|(row, &count)| (0..count).map(move |_| row));
    let places = of_entries.zip(columns.iter().map(|&col| col as usize)).collect();
    Csr::from_coo(Coo::from_parts(height, width, places, values).ok_or_else(too_large)?)
}
