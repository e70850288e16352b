//! Arrays as NumPy keeps them: systems by rows, and by limbs where numbers have several.
//!
//! Numbers of any bits are decimal texts there, of so many bytes: limbs of `f64` lack their range.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use nonius_cuda::DeviceNumber;
use nonius_files::room::NoRoom;
use nonius_files::text::{excerpt, printable};
use nonius_linalg::tridiag::{Order, Parts};
use nonius_linalg::{Element, Numbers, Slice};
use nonius_num::ParseDecimalError;
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
    /// Its numbers are neither `float64` nor `float32`, nor texts.
    Type(String),
    /// One of its texts is no number.
    Text {
        /// The place of the text in the file, counted from 1.
        index: usize,
        /// What is wrong with it.
        error: ParseDecimalError,
    },
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
                let expected = "expected numbers of type float64 or float32, or texts";
                write!(f, "{path}: {expected} of 1 to {LONGEST_TEXT} characters, not {found}")
            }
            ArrayProblem::Text { index, error } => {
                write!(f, "{path}: text {index} of the array is no number: {error}")
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
struct Array<T: Element> {
    systems: usize,
    size: usize,
    order: Order,
    numbers: Numbers<T>,
}

/// The longest header, in bytes; NumPy's own reader has the same limit.
const LONGEST_HEADER: usize = 10_000;

/// The longest text of a number, in characters: room for all digits of a number, and for more.
const LONGEST_TEXT: usize = 1 << 14;

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

fn read_array<T: DeviceNumber>(
    format: T::Format,
    path: &Path,
    input: impl Read,
) -> Result<Array<T>, ArrayError> {
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
    let most = most_limbs::<T>(format);
    let kind = npy.dtype().descr();
    let kind = kind.trim_matches('\'').trim_start_matches(['<', '>', '=', '|']).to_string();
    let (systems, size, limbs) = match shape[..] {
        [systems, size] => (systems as usize, size as usize, 1),
        [systems, size, limbs] if (1..=most as u64).contains(&limbs) && !is_text(&kind) => {
            (systems as usize, size as usize, limbs as usize)
        }
        _ if most > 1 && !is_text(&kind) => {
            return Err(wrong(&format!("(systems, rows) or (systems, rows, {most})")));
        }
        _ => return Err(wrong("(systems, rows)")),
    };
    let room = tridiagonal_room::<T>(format, (systems, size));
    room.map_err(|problem| of(ArrayProblem::NoRoom(problem)))?;
    // The header's numbers have a product that is no larger.
    let count = systems * size;
    let mut numbers = Numbers::with_capacity(format, count);
    let end = |input: &mut dyn Read| match input.read(&mut [0]).map_err(unreadable)? {
        0 => Ok(()),
        _ => Err(of(ArrayProblem::More { numbers: count * limbs })),
    };
    if is_text(&kind) {
        let texts = npy.data::<String>().map_err(|_| of(ArrayProblem::Type(kind)))?;
        for (index, text) in (1..).zip(texts) {
            let text = text.map_err(unreadable)?;
            let number = T::read_decimal(format, text.trim().as_bytes())
                .map_err(|error| of(ArrayProblem::Text { index, error }))?;
            numbers.push(number);
        }
        end(&mut input)?;
        return Ok(Array { systems, size, order, numbers });
    }
    let words: Vec<f64> = match kind.as_str() {
        "f8" => npy.into_vec::<f64>(),
        "f4" => npy.into_vec::<f32>().map(|x| x.into_iter().map(f64::from).collect()),
        other => return Err(of(ArrayProblem::Type(other.into()))),
    }
    .map_err(unreadable)?;
    end(&mut input)?;
    let place = |at: usize, l: usize| match order {
        Order::Contiguous => at * limbs + l,
        Order::Interleaved => l * count + at,
    };
    for at in 0..count {
        let limb = |l: usize| T::from_f64(words[place(at, l)]);
        // A sum has the bits of its operands.
        let first = limb(0).to_format(format);
        numbers.push((1..limbs).map(limb).fold(first, |x, y| x + y));
    }
    Ok(Array { systems, size, order, numbers })
}

/// Limbs that a number may have in an array.
fn most_limbs<T: DeviceNumber>(format: T::Format) -> usize {
    match T::PARTS {
        Parts::Single => 1,
        Parts::Limbs(limbs) => limbs,
        Parts::Words => T::span(format).unsigned_abs().div_ceil(f64::MANTISSA_DIGITS) as usize,
    }
}

/// Whether an array's numbers are texts that are read: of bytes, or of characters.
fn is_text(kind: &str) -> bool {
    let width = kind.strip_prefix(['S', 'U']).and_then(|width| width.parse::<usize>().ok());
    width.is_some_and(|width| (1..=LONGEST_TEXT).contains(&width))
}

/// Lower, main and upper diagonals and right sides, each an array of `systems × rows` numbers, of
/// `systems × rows × limbs` where they have several. Numbers may be decimal texts. Arrays in
/// Fortran's order are
/// [interleaved](Order::Interleaved).
///
/// # Errors
/// The first file that is not what it should be.
pub fn read<T: DeviceNumber>(
    format: T::Format,
    paths: [&Path; 4],
) -> Result<TridiagonalSystems<T>, ArrayError> {
    let open = |path: &Path| {
        let of =
            |error| ArrayError { path: path.to_path_buf(), problem: ArrayProblem::Open(error) };
        File::open(path).map_err(of)
    };
    let [a, b, c, d] = paths;
    read_from(format, [(a, open(a)?), (b, open(b)?), (c, open(c)?), (d, open(d)?)])
}

/// [`read`] from streams; messages call each by the path beside it.
///
/// # Errors
/// The first stream that is not what it should be.
pub fn read_from<T: DeviceNumber>(
    format: T::Format,
    inputs: [(&Path, impl Read); 4],
) -> Result<TridiagonalSystems<T>, ArrayError> {
    let [(path, input), others @ ..] = inputs;
    let lower = read_array::<T>(format, path, input)?;
    let (systems, size, order) = (lower.systems, lower.size, lower.order);
    let like = |(path, input): (&Path, _)| {
        let array = read_array::<T>(format, path, input)?;
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

/// Writes the unknowns of a batch as [`read`] takes them: those of any bits as texts.
///
/// # Errors
/// Those of the output.
pub fn write<T: DeviceNumber>(
    out: &mut dyn io::Write,
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
        Parts::Words => return write_texts(out, &shape, npy_order, x),
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

/// Writes texts of as many bytes as the longest has.
fn write_texts<T: DeviceNumber>(
    out: &mut dyn io::Write,
    shape: &[u64],
    order: npyz::Order,
    x: Slice<'_, T>,
) -> io::Result<()> {
    let text = |x: T| {
        let mut text = Vec::new();
        x.write_decimal(&mut text);
        text
    };
    let longest = x.iter().map(|x| text(x).len()).max().unwrap_or(0).max(1);
    let invalid = |error| io::Error::new(io::ErrorKind::InvalidInput, error);
    let kind = format!("|S{longest}").parse().map_err(invalid)?;
    let options = npyz::WriteOptions::<[u8]>::new().dtype(npyz::DType::Plain(kind));
    let mut writer = options.shape(shape).order(order).writer(out).begin_nd()?;
    for x in x.iter() {
        writer.push(&text(x)[..])?;
    }
    writer.finish()
}
