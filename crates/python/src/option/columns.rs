//! Columns of Python as those of a book.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use nonius::num::mp::Bits;
use nonius::num::{MultiFloat, Real};
use nonius::option::book::{Cell, Table};
use nonius::{Mp, option};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyList, PyString};

use crate::convert;
use crate::exact::most_bits;
use crate::numpy::{Kind, Stored, column_major};

/// Numbers of contracts.
pub(crate) trait Held: Stored {
    /// The number of a format nearest to an object of Python.
    fn of_object(object: &Bound<'_, PyAny>, format: Self::Format) -> PyResult<Self>;

    /// The number of a format nearest to one of the most bits.
    fn of_mp(x: &Mp, format: Self::Format) -> Self;
}

impl Held for f64 {
    fn of_object(object: &Bound<'_, PyAny>, (): ()) -> PyResult<Self> {
        object.call_method0("__float__")?.extract()
    }

    fn of_mp(x: &Mp, (): ()) -> Self {
        x.to_f64()
    }
}

impl Held for Mp {
    fn of_object(object: &Bound<'_, PyAny>, bits: Bits) -> PyResult<Self> {
        convert::number(object, bits)
    }

    fn of_mp(x: &Mp, bits: Bits) -> Self {
        x.to_format(bits)
    }
}

impl<const N: usize> Held for MultiFloat<N>
where
    Self: Kind<Format = ()> + Stored,
{
    fn of_object(object: &Bound<'_, PyAny>, (): ()) -> PyResult<Self> {
        convert::number(object, ())
    }

    fn of_mp(x: &Mp, (): ()) -> Self {
        <Self as Kind>::from_mp(x)
    }
}

/// A local volatility: a function of the underlying's price and of time.
///
/// Between the points the volatility is bilinear, beyond them constant. A column ``volatility`` may
/// hold surfaces.
///
/// Parameters
/// ----------
/// spots : array_like, shape (n,)
///     Prices of the underlying, in ascending order.
/// times : array_like, shape (m,)
///     Times in years from today, in ascending order.
/// volatilities : array_like, shape (m, n)
///     A row of volatilities a year for each time.
///
/// Examples
/// --------
/// >>> import nonius as nn
/// >>> flat = nn.option.Surface([80, 120], [0.5, 1], [[0.2, 0.2], [0.2, 0.2]])
/// >>> call = nn.option.price(type="call", spot=100, strike=100, rate=0.05, volatility=flat,
/// ...                        maturity=1, tolerance=1e-4)
/// >>> bool(abs(call.price - 10.4506) < 2e-3)
/// True
#[pyclass(frozen, module = "nonius.option")]
pub(crate) struct Surface {
    spots: Vec<Mp>,
    times: Vec<Mp>,
    volatilities: Vec<Mp>,
}

#[pymethods]
impl Surface {
    #[new]
    fn new(
        spots: &Bound<'_, PyAny>,
        times: &Bound<'_, PyAny>,
        volatilities: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let vector = |object: &Bound<'_, PyAny>, name: &str| {
            let found = column_major::<Mp>(&exactly(object)?, name)?;
            if !found.is_vector() {
                let text = format!("{name}: expected an array of 1 dimension, found 2");
                return Err(PyValueError::new_err(text));
            }
            Ok(found.view().column(0).iter().collect::<Vec<_>>())
        };
        let (spots, times) = (vector(spots, "spots")?, vector(times, "times")?);
        let volatilities = exactly(volatilities)?;
        let table = column_major::<Mp>(&volatilities, "volatilities")?;
        let view = table.view();
        if view.shape() != (times.len(), spots.len()) {
            let (rows, cols) = view.shape();
            return Err(PyValueError::new_err(format!(
                "volatilities: expected the shape ({}, {}), a row for each time, found ({rows}, {cols})",
                times.len(),
                spots.len()
            )));
        }
        let places = (0..times.len()).flat_map(|i| (0..spots.len()).map(move |j| (i, j)));
        let volatilities = places.map(|(i, j)| view.at(i, j)).collect();
        let surface = Self { spots, times, volatilities };
        match surface.of::<Mp>(most_bits()) {
            Some(_) => Ok(surface),
            None => Err(PyValueError::new_err(
                "expected spots and times that are finite and in ascending order, one of each at least",
            )),
        }
    }

    fn __repr__(&self) -> String {
        format!("Surface({} spots, {} times)", self.spots.len(), self.times.len())
    }
}

impl Surface {
    /// Rounded to numbers of another kind, whose spots and times increase where they are not too
    /// close for that.
    fn of<T: Held>(&self, format: T::Format) -> Option<option::Surface<T>> {
        let all = |numbers: &[Mp]| numbers.iter().map(|x| T::of_mp(x, format)).collect();
        option::Surface::new(all(&self.spots), all(&self.times), all(&self.volatilities))
    }
}

/// An array of the same numbers with the most bits.
fn exactly<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let kind = py.import("nonius._nonius")?.getattr("mp")?.call1((most_bits().get(),))?;
    py.import("numpy")?.call_method1("asarray", (object, kind))
}

/// A column of a book: one cell for all rows, or one for each.
enum Column<T> {
    Numbers(Vec<T>),
    Cells(Vec<Cell<'static, T>>),
}

/// The columns of a book.
pub(super) struct Columns<T> {
    names: Vec<String>,
    columns: Vec<Column<T>>,
}

impl<T: Held> Columns<T> {
    /// Of pairs of a name, and an array of numbers or a list of other objects. Numbers of any
    /// precision are in arrays of their format.
    pub(super) fn new(format: T::Format, pairs: &Bound<'_, PyList>) -> PyResult<Self> {
        let (mut names, mut columns) = (Vec::new(), Vec::new());
        let mut surfaces = HashMap::new();
        for pair in pairs {
            let (name, values): (String, Bound<'_, PyAny>) = pair.extract()?;
            columns.push(match values.cast::<PyList>() {
                Ok(objects) => {
                    let cells = objects.iter().map(|object| cell(&object, format, &mut surfaces));
                    Column::Cells(cells.collect::<PyResult<_>>()?)
                }
                Err(_) => {
                    let found = column_major::<T>(&values, &name)?;
                    Column::Numbers(found.view().column(0).iter().collect())
                }
            });
            names.push(name);
        }
        Ok(Self { names, columns })
    }

    /// The names of the columns.
    pub(super) fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// The book of so many rows.
    pub(super) fn table<'a>(
        &'a self,
        names: &'a [&'a str],
        rows: usize,
    ) -> Table<'a, impl Fn(usize, usize) -> Cell<'a, T>> {
        Table { names, rows, cell: |row, column| self.cell(row, column) }
    }

    fn cell(&self, row: usize, column: usize) -> Cell<'_, T> {
        let place = |length: usize| if length == 1 { 0 } else { row };
        match &self.columns[column] {
            Column::Numbers(numbers) => match numbers.get(place(numbers.len())) {
                Some(&x) => Cell::Number(x),
                None => Cell::Empty,
            },
            Column::Cells(cells) => match cells.get(place(cells.len())) {
                Some(Cell::Text(text)) => Cell::Text(text.as_ref().into()),
                Some(cell) => cell.clone(),
                None => Cell::Empty,
            },
        }
    }
}

/// Classes of Python and NumPy that have a real number as `__float__`, but are none.
const UNREAL: [&str; 7] =
    ["bool", "bool_", "datetime64", "timedelta64", "complex64", "complex128", "clongdouble"];

/// What an object is in a book. Texts are read by the book; `None`, NaN and NA leave the cell out.
fn cell<T: Held>(
    object: &Bound<'_, PyAny>,
    format: T::Format,
    surfaces: &mut HashMap<usize, option::Surface<T>>,
) -> PyResult<Cell<'static, T>> {
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Cell::Text(text.to_cow()?.into_owned().into()));
    }
    if object.is_none() || object.cast::<PyFloat>().is_ok_and(|x| x.value().is_nan()) {
        return Ok(Cell::Empty);
    }
    if let Ok(surface) = object.cast::<Surface>() {
        let found = match surfaces.entry(object.as_ptr() as usize) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(place) => {
                const CLOSE: &str = "column volatility: spots or times of a surface are too close";
                let found = surface.get().of::<T>(format);
                place.insert(found.ok_or_else(|| PyValueError::new_err(CLOSE))?).clone()
            }
        };
        return Ok(Cell::Surface(found));
    }
    let class = object.get_type().name()?;
    let is_real = !UNREAL.contains(&&*class.to_cow()?);
    match T::of_object(object, format) {
        Ok(x) if is_real => Ok(Cell::Number(x)),
        _ => {
            let text = object.str()?.to_cow()?.into_owned();
            // Of pandas: what is missing in a column of any type.
            Ok(if matches!(&*text, "<NA>" | "NaT") { Cell::Empty } else { Cell::Text(text.into()) })
        }
    }
}
