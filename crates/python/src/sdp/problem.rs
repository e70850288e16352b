//! Programs.

use nonius::files::decompress;
use nonius::sdp::input::{read_dense, read_sparse};
use nonius::sdp::{Block, Problem};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A semidefinite program, with its numbers as decimal texts.
#[pyclass(frozen, module = "nonius._nonius")]
pub(crate) struct SdpProblem(pub(super) Problem);

/// Matrix, block, row and column, counted from 1, but for the matrix `F₀`; and the value.
type Entry = (u32, u32, u32, u32, String);

#[pymethods]
impl SdpProblem {
    /// Reads the bytes of a file in SDPA's sparse format, or in its dense one.
    #[staticmethod]
    fn read(py: Python<'_>, bytes: &[u8], dense: bool) -> PyResult<Self> {
        let read = || -> Result<Problem, String> {
            let input = decompress(bytes).map_err(|error| error.to_string())?;
            let read = if dense { read_dense(input) } else { read_sparse(input) };
            read.map_err(|error| error.to_string())
        };
        py.detach(read).map(Self).map_err(PyValueError::new_err)
    }

    /// The numbers `c`.
    #[getter]
    fn objective(&self) -> Vec<String> {
        let numbers = self.0.numbers();
        self.0.objective().iter().map(|&place| numbers.text(place).to_string()).collect()
    }

    /// The same problem with some of its diagonal blocks, counted from 0, as second-order cones.
    fn with_second_order(&self, blocks: Vec<usize>) -> PyResult<Self> {
        let problem = self.0.clone().with_second_order(blocks);
        problem.map(Self).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The orders of the blocks, negative for diagonal ones, and which are second-order cones.
    #[getter]
    fn blocks(&self) -> Vec<(i64, bool)> {
        let order = |block: &Block| match *block {
            Block::Dense(order) => (order as i64, false),
            Block::Diagonal(order) => (-(order as i64), false),
            Block::SecondOrder(order) => (order as i64, true),
        };
        self.0.blocks().iter().map(order).collect()
    }

    /// The entries of all upper triangles.
    #[getter]
    fn entries(&self) -> Vec<Entry> {
        let numbers = self.0.numbers();
        let entry = |entry: &nonius::sdp::Entry| {
            let place = entry.place;
            let value = numbers.text(entry.value).to_string();
            (place.matrix, place.block + 1, place.row + 1, place.col + 1, value)
        };
        self.0.entries().iter().map(entry).collect()
    }
}
