//! Files of arrays: systems by rows, and by limbs where numbers have several.
//!
//! Numbers of any bits are decimal texts there: limbs of `f64` lack their range.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use nonius_cuda::DeviceNumber;
use nonius_files::room::{Meter, NoRoom};
use nonius_linalg::tridiag::{Order, Parts};
use nonius_linalg::{Element, Error, Numbers, Slice, Token};
use npyz::WriterBuilder;

use super::{Systems, check_room};
use crate::files::archive::{self, Archive};
use crate::files::array::{self, ArrayProblem, Cell, Header, write_texts};
use crate::files::csv::{self, CsvProblem};
use crate::files::entry::{BadEntry, grow};
use crate::files::{FileError, FileProblem, Form, MatrixName, open_stream};

/// One array.
struct Array<T: Element> {
    systems: usize,
    size: usize,
    order: Order,
    numbers: Numbers<T>,
}

fn read_array<T: DeviceNumber>(
    format: T::Format,
    path: &Path,
    input: impl Read,
) -> Result<Array<T>, FileError> {
    let name = MatrixName::of(path);
    let unreadable = |error| FileProblem::Array(ArrayProblem::Read(error)).of(path);
    let (form, mut input) = open_stream(name, input).map_err(unreadable)?;
    let read = match form {
        Form::Csv => read_csv(format, &mut input).map_err(FileProblem::Csv),
        Form::Npz => read_npz(format, name.array, input).map_err(FileProblem::Array),
        Form::Npy | Form::MatrixMarket => read_npy(format, &mut input).map_err(FileProblem::Array),
    };
    read.map_err(|problem| problem.of(path))
}

fn read_npz<T: DeviceNumber>(
    format: T::Format,
    wanted: Option<&str>,
    input: impl Read,
) -> Result<Array<T>, ArrayProblem> {
    let mut archive = Archive::read(input)?;
    let name = archive.chosen(wanted)?;
    archive.array(&name, |mut input| read_npy(format, &mut input))
}

fn read_csv<T: DeviceNumber>(
    format: T::Format,
    input: &mut impl Read,
) -> Result<Array<T>, CsvProblem> {
    let mut numbers = Numbers::new(format);
    let bytes = nonius_num::stored_bytes::<T>(format);
    let (systems, size) = csv::read_cells(input, |csv::Cell { line, column, text }| {
        grow(&mut numbers, usize::MAX, bytes).map_err(CsvProblem::TooLarge)?;
        let number = number_of(format, text);
        numbers.push(number.map_err(|problem| CsvProblem::Cell { line, column, problem })?);
        Ok(())
    })?;
    Ok(Array { systems, size, order: Order::Contiguous, numbers })
}

fn read_npy<T: DeviceNumber>(
    format: T::Format,
    input: &mut impl Read,
) -> Result<Array<T>, ArrayProblem> {
    let header = Header::read(input)?;
    let order = match header.order {
        npyz::Order::C => Order::Contiguous,
        npyz::Order::Fortran => Order::Interleaved,
    };
    let most = if header.kind.is_text() { 1 } else { most_limbs::<T>(format) };
    let (systems, size, limbs) = match header.shape[..] {
        [systems, size] => (systems as usize, size as usize, 1),
        [systems, size, limbs] if most > 1 && (1..=most as u64).contains(&limbs) => {
            (systems as usize, size as usize, limbs as usize)
        }
        _ => {
            let expected = match most {
                1 => "(systems, rows)".to_string(),
                _ => format!("(systems, rows) or (systems, rows, {most})"),
            };
            return Err(ArrayProblem::Shape { found: header.shape, expected });
        }
    };
    check_room::<T>(format, (systems, size)).map_err(no_room)?;
    let count = systems * size;
    let mut numbers = Numbers::new(format);
    if limbs == 1 {
        let bytes = nonius_num::stored_bytes::<T>(format);
        array::read_cells(&header, input, |index, cell| {
            grow(&mut numbers, count, bytes).map_err(ArrayProblem::TooLarge)?;
            let number = match cell {
                Cell::Double(x) => Ok(T::from_f64(x).to_format(format)),
                Cell::Integer(x) => number_of(format, x.to_string().as_bytes()),
                Cell::Text(text) => number_of(format, text),
            };
            numbers.push(
                number.map_err(|problem| ArrayProblem::Entry {
                    place: header.place(index),
                    problem,
                })?,
            );
            Ok(())
        })?;
        return Ok(Array { systems, size, order, numbers });
    }
    let mut meter = Meter::new("the limbs of an array");
    let mut words: Vec<f64> = Vec::new();
    array::read_cells(&header, input, |_, cell| {
        meter.take(size_of::<f64>()).map_err(no_room)?;
        words.push(match cell {
            Cell::Double(x) => x,
            Cell::Integer(x) => x as f64,
            Cell::Text(_) => f64::NAN,
        });
        Ok(())
    })?;
    let place = |at: usize, l: usize| match order {
        Order::Contiguous => at * limbs + l,
        Order::Interleaved => l * count + at,
    };
    for at in 0..count {
        grow(&mut numbers, count, nonius_num::stored_bytes::<T>(format))
            .map_err(ArrayProblem::TooLarge)?;
        let limb = |l: usize| T::from_f64(words[place(at, l)]);
        // A sum has the bits of its operands.
        let first = limb(0).to_format(format);
        numbers.push((1..limbs).map(limb).fold(first, |x, y| x + y));
    }
    Ok(Array { systems, size, order, numbers })
}

fn no_room(refused: NoRoom) -> ArrayProblem {
    ArrayProblem::TooLarge(Error::NoRoom(Box::new(refused)))
}

fn number_of<T: DeviceNumber>(format: T::Format, text: &[u8]) -> Result<T, BadEntry> {
    let text = text.trim_ascii();
    T::read_decimal(format, text).map_err(|_| BadEntry::Number(Token::new(text)))
}

/// Limbs that a number may have in an array.
fn most_limbs<T: DeviceNumber>(format: T::Format) -> usize {
    match T::PARTS {
        Parts::Single => 1,
        Parts::Limbs(limbs) => limbs,
        Parts::Words => T::span(format).unsigned_abs().div_ceil(f64::MANTISSA_DIGITS) as usize,
    }
}

/// Lower, main and upper diagonals and right-hand sides from four files: arrays of
/// `systems × rows` numbers, of `systems × rows × limbs` where they have several, in `.npy` or
/// `.npz`, or `.csv` with a line for each system. Files may be compressed.
///
/// Numbers may be decimal texts. Arrays in Fortran's order are [interleaved](Order::Interleaved).
///
/// # Errors
/// The first file that is not what it should be.
pub fn read<T: DeviceNumber>(
    format: T::Format,
    paths: [&Path; 4],
) -> Result<Systems<T>, FileError> {
    let open = |path| {
        File::open(MatrixName::of(path).file).map_err(|error| FileProblem::Open(error).of(path))
    };
    let [a, b, c, d] = paths;
    read_from(format, [(a, open(a)?), (b, open(b)?), (c, open(c)?), (d, open(d)?)])
}

/// [`read`] from streams; messages call each by the path beside it, which says the form.
///
/// # Errors
/// The first stream that is not what it should be.
pub fn read_from<T: DeviceNumber>(
    format: T::Format,
    inputs: [(&Path, impl Read); 4],
) -> Result<Systems<T>, FileError> {
    let [(path, input), others @ ..] = inputs;
    let lower = read_array::<T>(format, path, input)?;
    let (systems, size, order) = (lower.systems, lower.size, lower.order);
    let like = |(path, input): (&Path, _)| {
        let array = read_array::<T>(format, path, input)?;
        let of = |problem| FileProblem::Array(problem).of(path);
        if (array.systems, array.size) != (systems, size) {
            let found = vec![array.systems as u64, array.size as u64];
            let expected = format!("({systems}, {size}), as the first file has it");
            return Err(of(ArrayProblem::Shape { found, expected }));
        }
        if array.order != order {
            return Err(of(ArrayProblem::Order));
        }
        Ok(array.numbers)
    };
    let [diagonal, upper, right] = others;
    let matrix = [lower.numbers, like(diagonal)?, like(upper)?];
    Ok(Systems { systems, size, order, matrix, right: like(right)? })
}

/// Writes the unknowns of a batch as [`read`] takes them, in the form that the name says, else as
/// an array: those of any bits as texts.
///
/// # Errors
/// Those of the output.
pub fn write<T: DeviceNumber>(
    out: &mut dyn Write,
    name: MatrixName<'_>,
    shape: (usize, usize),
    order: Order,
    x: Slice<'_, T>,
) -> io::Result<()> {
    match name.form {
        Some(Form::Csv) => write_csv(out, shape, order, x),
        Some(Form::Npz) => {
            let mut contents = |out: &mut dyn Write| write_npy(out, shape, order, x);
            archive::write(out, &mut [(name.array.unwrap_or("x"), &mut contents)])
        }
        _ => write_npy(out, shape, order, x),
    }
}

fn write_csv<T: DeviceNumber>(
    out: &mut dyn Write,
    (systems, size): (usize, usize),
    order: Order,
    x: Slice<'_, T>,
) -> io::Result<()> {
    let mut line = Vec::new();
    for system in 0..systems {
        line.clear();
        for row in 0..size {
            x.at(order.index((systems, size), system, row)).write_decimal(&mut line);
            line.push(if row + 1 == size { b'\n' } else { b',' });
        }
        out.write_all(&line)?;
    }
    Ok(())
}

fn write_npy<T: DeviceNumber>(
    out: &mut dyn Write,
    (systems, size): (usize, usize),
    order: Order,
    x: Slice<'_, T>,
) -> io::Result<()> {
    let mut shape = vec![systems as u64, size as u64];
    let npy_order = match order {
        Order::Contiguous => npyz::Order::C,
        Order::Interleaved => npyz::Order::Fortran,
    };
    let limbs = match T::PARTS {
        Parts::Single => {
            let options = npyz::WriteOptions::<f32>::new().default_dtype();
            let mut writer = options.shape(&shape).order(npy_order).writer(out).begin_nd()?;
            writer.extend(x.iter().map(|x| x.to_f64() as f32))?;
            return writer.finish();
        }
        Parts::Words => {
            let text = |x: T| {
                let mut text = Vec::new();
                x.write_decimal(&mut text);
                text
            };
            let longest = x.iter().map(|x| text(x).len()).max().unwrap_or(0);
            let mut writer = write_texts(out, longest, &shape, npy_order)?;
            for x in x.iter() {
                writer.push(&*String::from_utf8_lossy(&text(x)))?;
            }
            return writer.finish();
        }
        Parts::Limbs(limbs) => limbs,
    };
    if limbs > 1 {
        shape.push(limbs as u64);
    }
    let options = npyz::WriteOptions::<f64>::new().default_dtype();
    let mut writer = options.shape(&shape).order(npy_order).writer(out).begin_nd()?;
    match order {
        Order::Contiguous => {
            writer.extend(x.iter().flat_map(|x| (0..limbs).map(move |l| x.limb(l))))?;
        }
        Order::Interleaved => {
            writer.extend((0..limbs).flat_map(|l| x.iter().map(move |x| x.limb(l))))?;
        }
    }
    writer.finish()
}
