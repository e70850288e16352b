//! Arrays as NumPy keeps them: systems by rows, and by limbs where numbers have several.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use nonius_cuda::DeviceNumber;
use nonius_files::room::NoRoom;
use nonius_files::text::{excerpt, printable};
use nonius_linalg::tridiag::Order;
use npyz::{NpyFile, WriterBuilder};

use super::{TridiagonalSystems, tridiagonal_room};

/// What is wrong with an array file.
#[derive(Debug)]
pub struct ArrayError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub problem: ArrayProblem,
}

/// What can be wrong with an array file.
#[derive(Debug)]
#[non_exhaustive]
pub enum ArrayProblem {
    /// It cannot be opened.
    Open(io::Error),
    /// It is not in NumPy's format, or ends too early.
    Read(io::Error),
    /// Its numbers are neither `float64` nor `float32`.
    Type(String),
    /// It has not one number for each row of each system.
    Shape {
        /// Its shape.
        found: Vec<u64>,
        /// What it should be.
        expected: String,
    },
    /// There are bytes behind its last number.
    More {
        /// How many numbers it has.
        numbers: usize,
    },
    /// The systems do not fit into memory.
    NoRoom(NoRoom),
    /// Its order of memory is another one than that of the first file.
    Order,
}

impl fmt::Display for ArrayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.to_string_lossy();
        let path = printable(&path);
        match &self.problem {
            ArrayProblem::Open(error) => write!(f, "{path}: cannot be opened: {error}"),
            ArrayProblem::Read(error) => {
                // A header that is not Python is shown on several lines.
                let error = error.to_string();
                let line = excerpt(error.lines().next().unwrap_or_default());
                write!(f, "{path}: expected an array of NumPy (.npy): {line}")
            }
            ArrayProblem::Type(found) => {
                let found = excerpt(found);
                write!(f, "{path}: expected numbers of type float64 or float32, not {found}")
            }
            ArrayProblem::Shape { found, expected } => {
                let found = format!("{found:?}");
                let found = excerpt(&found);
                write!(f, "{path}: expected an array of shape {expected}, not {found}")
            }
            ArrayProblem::More { numbers } => {
                write!(f, "{path}: expected the end of the file after {numbers} numbers")
            }
            ArrayProblem::NoRoom(problem) => write!(f, "{path}: {problem}"),
            ArrayProblem::Order => write!(
                f,
                "{path}: expected the order of memory of the first file (all of C's, or all of Fortran's)"
            ),
        }
    }
}

impl std::error::Error for ArrayError {}

/// One array.
struct Array<T> {
    systems: usize,
    size: usize,
    order: Order,
    numbers: Vec<T>,
}

/// The longest header, in bytes; NumPy's own reader has the same limit.
const LONGEST_HEADER: usize = 10_000;

/// Brackets within brackets of a header: those of a record of arrays are four.
const DEEPEST_HEADER: usize = 8;

/// What stands before an array's numbers, once it is clear that npyz can take it apart.
///
/// npyz takes memory for as many bytes of header as a file says, and a frame of the stack for each
/// bracket. It multiplies the lengths of a shape without a look at their product.
fn header(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let invalid = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    let mut read = Vec::new();
    let mut append = |more: usize, read: &mut Vec<u8>| {
        input.by_ref().take(more as u64).read_to_end(read).map(|found| found == more)
    };
    // The magic, the version, and the length in two or four bytes.
    if !append(8, &mut read)? || !read.starts_with(b"\x93NUMPY") {
        return Ok(read);
    }
    let width = if read[6] == 1 { 2 } else { 4 };
    if !append(width, &mut read)? {
        return Ok(read);
    }
    let length = read[8..].iter().rev().fold(0, |length, &byte| length << 8 | usize::from(byte));
    if length > LONGEST_HEADER {
        return Err(invalid(format!(
            "a header of {length} bytes, where at most {LONGEST_HEADER} are read"
        )));
    }
    let start = read.len();
    append(length, &mut read)?;
    let mut depth = 0_usize;
    for byte in &read[start..] {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST_HEADER {
            return Err(invalid(format!(
                "a header of more than {DEEPEST_HEADER} brackets within each other"
            )));
        }
    }
    if !is_countable(&read[start..]) {
        return Err(invalid("a header with a number that no length is".into()));
    }
    Ok(read)
}

/// Whether the numbers in a header are decimal, and their product, without zeros, is below `2^64`.
fn is_countable(header: &[u8]) -> bool {
    let words = header.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    let numbers = words.filter(|word| word.first().is_some_and(u8::is_ascii_digit));
    let mut product = Some(1_u64);
    for number in numbers {
        let number = core::str::from_utf8(number).ok().and_then(|word| word.parse::<u64>().ok());
        product = product.zip(number).and_then(|(product, x)| product.checked_mul(x.max(1)));
    }
    product.is_some()
}

fn read_array<T: DeviceNumber>(path: &Path, input: impl Read) -> Result<Array<T>, ArrayError> {
    let of = |problem| ArrayError { path: path.to_path_buf(), problem };
    let unreadable = |error| of(ArrayProblem::Read(error));
    let mut input = BufReader::new(input);
    let header = header(&mut input).map_err(unreadable)?;
    let npy = NpyFile::new(header.as_slice().chain(&mut input)).map_err(unreadable)?;
    let shape = npy.shape().to_vec();
    let order = match npy.order() {
        npyz::Order::C => Order::Contiguous,
        npyz::Order::Fortran => Order::Interleaved,
    };
    let wrong = |expected: &str| {
        of(ArrayProblem::Shape { found: shape.clone(), expected: expected.into() })
    };
    let (systems, size, limbs) = match shape[..] {
        [systems, size] => (systems as usize, size as usize, 1),
        [systems, size, limbs] if (1..=T::PLANES as u64).contains(&limbs) => {
            (systems as usize, size as usize, limbs as usize)
        }
        _ if T::PLANES > 1 => {
            return Err(wrong(&format!("(systems, rows) or (systems, rows, {})", T::PLANES)));
        }
        _ => return Err(wrong("(systems, rows)")),
    };
    let kind = npy.dtype().descr();
    let kind = kind.trim_matches('\'').trim_start_matches(['<', '>', '=', '|']).to_string();
    tridiagonal_room::<T>(systems, size).map_err(|problem| of(ArrayProblem::NoRoom(problem)))?;
    let words: Vec<f64> = match kind.as_str() {
        "f8" => npy.into_vec::<f64>(),
        "f4" => npy.into_vec::<f32>().map(|x| x.into_iter().map(f64::from).collect()),
        other => return Err(of(ArrayProblem::Type(other.into()))),
    }
    .map_err(unreadable)?;
    if input.read(&mut [0]).map_err(unreadable)? > 0 {
        return Err(of(ArrayProblem::More { numbers: words.len() }));
    }
    // The header's numbers have a product that is no larger.
    let count = systems * size;
    let place = |at: usize, l: usize| match order {
        Order::Contiguous => at * limbs + l,
        Order::Interleaved => l * count + at,
    };
    let number = |at: usize| {
        let limbs = (0..limbs).map(|l| T::from_f64(words[place(at, l)]));
        limbs.reduce(|x, y| x + y).unwrap_or(T::ZERO)
    };
    Ok(Array { systems, size, order, numbers: (0..count).map(number).collect() })
}

/// Lower, main and upper diagonals and right sides, each an array of `systems × rows` numbers, of `systems × rows × limbs` where they have several. Arrays in Fortran's order are
/// [interleaved](Order::Interleaved).
///
/// # Errors
/// The first file that is not what it should be.
pub fn read<T: DeviceNumber>(paths: [&Path; 4]) -> Result<TridiagonalSystems<T>, ArrayError> {
    let open = |path: &Path| {
        let of =
            |error| ArrayError { path: path.to_path_buf(), problem: ArrayProblem::Open(error) };
        File::open(path).map_err(of)
    };
    let [a, b, c, d] = paths;
    read_from([(a, open(a)?), (b, open(b)?), (c, open(c)?), (d, open(d)?)])
}

/// [`read`] from streams; messages call each by the path beside it.
///
/// # Errors
/// The first stream that is not what it should be.
pub fn read_from<T: DeviceNumber>(
    inputs: [(&Path, impl Read); 4],
) -> Result<TridiagonalSystems<T>, ArrayError> {
    let [(path, input), others @ ..] = inputs;
    let lower = read_array::<T>(path, input)?;
    let (systems, size, order) = (lower.systems, lower.size, lower.order);
    let like = |(path, input): (&Path, _)| {
        let array = read_array::<T>(path, input)?;
        let of = |problem| ArrayError { path: path.to_path_buf(), problem };
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
    Ok(TridiagonalSystems { systems, size, order, matrix, right: like(right)? })
}

/// Writes the unknowns of a batch as [`read`] takes them.
///
/// # Errors
/// Those of the output.
pub fn write<T: DeviceNumber>(
    out: &mut dyn io::Write,
    (systems, size): (usize, usize),
    order: Order,
    x: &[T],
) -> io::Result<()> {
    let planes = T::PLANES;
    let mut shape = vec![systems as u64, size as u64];
    if planes > 1 {
        shape.push(planes as u64);
    }
    let npy_order = match order {
        Order::Contiguous => npyz::Order::C,
        Order::Interleaved => npyz::Order::Fortran,
    };
    if T::LIMBS == 0 {
        let options = npyz::WriteOptions::<f32>::new().default_dtype();
        let mut writer = options.shape(&shape).order(npy_order).writer(out).begin_nd()?;
        writer.extend(x.iter().map(|x| x.to_f64() as f32))?;
        return writer.finish();
    }
    let options = npyz::WriteOptions::<f64>::new().default_dtype();
    let mut writer = options.shape(&shape).order(npy_order).writer(out).begin_nd()?;
    let word = |x: T, l: usize| -> f64 { x.word(l).into() };
    match order {
        Order::Contiguous => {
            writer.extend(x.iter().flat_map(|&x| (0..planes).map(move |l| word(x, l))))?;
        }
        Order::Interleaved => {
            writer.extend((0..planes).flat_map(|l| x.iter().map(move |&x| word(x, l))))?;
        }
    }
    writer.finish()
}
