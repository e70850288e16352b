//! Points from which runs go on.

use std::io::{self, Read, Write};

use nonius_files::room::read_whole;
use nonius_linalg::Token;
use nonius_num::Precision;

use super::point::{AnyPoint, PointFormat};
use crate::input::{Fault, ReadError};
use crate::seal::{self, Sealing};
use crate::{Fingerprint, Problem};

/// The first line of a file, a remark to readers of points as all of the head are.
const TITLE: &str = "* Point of nonius sdp, from which --resume goes on";

/// Where a run was left. The precision of the point is that of the stage in which it was left.
///
/// ```
/// use nonius_sdp::{AnyPoint, BlockValues, Checkpoint, Fingerprint, Solution, input};
///
/// let problem = input::read_sparse("1\n1\n-1\n1\n1 1 1 1 1\n".as_bytes())?;
/// let block = |x: f64| vec![BlockValues::Diagonal(vec![x].into())];
/// let point = Solution { x: vec![0.5].into(), primal: block(0.5), dual: block(1.0) };
/// let checkpoint = Checkpoint { point: AnyPoint::of(point), iterations: 7 };
/// let mut file = Vec::new();
/// checkpoint.write(&mut file, &Fingerprint::of(&problem))?;
/// assert_eq!(Checkpoint::read(&file[..], &problem)?.iterations, 7);
/// // A file that was cut short, or is of another problem, is refused.
/// assert!(Checkpoint::read(&file[..file.len() - 9], &problem).is_err());
/// let other = input::read_sparse("1\n1\n-1\n2\n1 1 1 1 1\n".as_bytes())?;
/// assert!(Checkpoint::read(&file[..], &other).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The point.
    pub point: AnyPoint,
    /// How many iterations led there.
    pub iterations: u64,
}

impl Checkpoint {
    /// Whether a file with these bytes is a checkpoint, whatever its name, or may have been one
    /// before it was damaged.
    pub fn is_one(bytes: &[u8]) -> bool {
        let is_remark = matches!(bytes.first(), Some(b'*' | b'"'));
        bytes.starts_with(TITLE.as_bytes()) || (is_remark && seal::is_sealed(bytes))
    }

    /// Writes a point in the sparse format of SDPA, after remarks that say of which problem it is
    /// and where it was left, and before its [seal](crate::seal).
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&self, out: &mut dyn Write, problem: &Fingerprint) -> io::Result<()> {
        let mut out = Sealing::new(out);
        writeln!(out, "{TITLE}")?;
        writeln!(out, "* problem = {problem}")?;
        writeln!(out, "* iterations = {}", self.iterations)?;
        writeln!(out, "* precision = {}", self.point.precision())?;
        self.point.write_sparse(&mut out)?;
        out.seal()
    }

    /// Reads what [`write`](Self::write) wrote for this problem.
    ///
    /// # Errors
    /// [`ReadError`]; [`Fault::OtherProblem`] where it is of another problem, [`Fault::Unsealed`]
    /// and [`Fault::Damaged`] where it is not what was written.
    pub fn read(input: impl Read, problem: &Problem) -> Result<Self, ReadError> {
        let read = read_whole(input);
        let bytes = read.map_err(|error| ReadError { line: 0, fault: Fault::Io(error) })?;
        let head = Head(&bytes);
        const FIRST: &str = "the first line of a checkpoint";
        if head.line(1, FIRST)? != TITLE.as_bytes() {
            return Err(head.expected(1, FIRST));
        }
        seal::check(&bytes)?;
        let of: String =
            head.value(2, "* problem = ", "`* problem = ` and its hash", |text| Some(text.into()))?;
        if of != Fingerprint::of(problem).to_string() {
            return Err(ReadError { line: 2, fault: Fault::OtherProblem });
        }
        let iterations =
            head.value(3, "* iterations = ", "`* iterations = ` and their number", |text| {
                text.parse().ok()
            })?;
        let precision: Precision =
            head.value(4, "* precision = ", "`* precision = ` and a precision", |text| {
                text.parse().ok()
            })?;
        let point = AnyPoint::read(&*bytes, PointFormat::Sparse, precision, problem)?;
        Ok(Self { point, iterations })
    }
}

/// The lines with which a file begins.
struct Head<'a>(&'a [u8]);

impl<'a> Head<'a> {
    fn find(&self, number: usize) -> Option<&'a [u8]> {
        let line = self.0.split(|&byte| byte == b'\n').nth(number - 1)?;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// A line, counted from 1, which there has to be.
    fn line(&self, number: usize, needed: &'static str) -> Result<&'a [u8], ReadError> {
        let ends = || ReadError { line: number as u64, fault: Fault::Ends { needed } };
        self.find(number).ok_or_else(ends)
    }

    fn expected(&self, number: usize, needed: &'static str) -> ReadError {
        let found = Token::new(self.find(number).unwrap_or_default());
        ReadError { line: number as u64, fault: Fault::Expected { needed, found } }
    }

    /// What a line has after its label.
    fn value<T>(
        &self,
        number: usize,
        label: &str,
        needed: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ReadError> {
        let line = core::str::from_utf8(self.line(number, needed)?).unwrap_or_default();
        let value = line.strip_prefix(label).and_then(parse);
        value.ok_or_else(|| self.expected(number, needed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::read_sparse;
    use nonius_num::mp::Bits;

    const PROBLEM: &str = "1\n2\n2 -1\n1\n0 1 1 2 3\n1 1 1 1 1\n1 2 1 1 2\n";

    fn problem(text: &str) -> Problem {
        read_sparse(&mut text.as_bytes()).unwrap()
    }

    fn written(precision: Precision) -> String {
        let problem = problem(PROBLEM);
        let text = "0.1\n1 1 1 2 0.7\n2 2 1 1 -3\n";
        let point = AnyPoint::read(text.as_bytes(), PointFormat::Sparse, precision, &problem);
        let mut out = Vec::new();
        let checkpoint = Checkpoint { point: point.unwrap(), iterations: 17 };
        checkpoint.write(&mut out, &Fingerprint::of(&problem)).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let precisions = [
            Precision::F64,
            Precision::Dd,
            Precision::Td,
            Precision::Qd,
            Precision::Mp(Bits::new(424).unwrap()),
        ];
        for precision in precisions {
            let text = written(precision);
            assert!(Checkpoint::is_one(text.as_bytes()));
            let read = Checkpoint::read(text.as_bytes(), &problem(PROBLEM)).unwrap();
            assert_eq!((read.iterations, read.point.precision()), (17, precision));
            let mut again = Vec::new();
            read.write(&mut again, &Fingerprint::of(&problem(PROBLEM))).unwrap();
            assert_eq!(String::from_utf8(again).unwrap(), text);
        }
    }

    #[test]
    fn what_is_no_checkpoint_is_refused() {
        let text = written(Precision::Dd);
        let cases = [
            ("* Point", "* A point", "line 1: expected the first line of a checkpoint, found `* A"),
            ("* problem = ", "* problem: ", "line 2: expected `* problem = ` and its hash"),
            ("= 17", "= -1", "line 3: expected `* iterations = ` and their number, found `* it"),
            ("= dd", "= mp1", "line 4: expected `* precision = ` and a precision, found `* pre"),
            ("0.1\n", "x\n", "line 5: expected a number of x, found `x`"),
            ("2 2 1 1", "2 3 1 1", "line 7: expected the number of a block from 1 to 2"),
        ];
        for (from, to, expected) in cases {
            assert!(text.contains(from), "{from}: {text}");
            let text = resealed(&text.replacen(from, to, 1));
            let error = Checkpoint::read(text.as_bytes(), &problem(PROBLEM));
            let error = error.unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        let other = problem(&PROBLEM.replace("1 2 3", "1 2 4"));
        let text = written(Precision::Dd);
        let error = Checkpoint::read(text.as_bytes(), &other).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2: expected a checkpoint of this problem, found one of another problem"
        );
    }

    /// The same text with the seal that belongs to it.
    fn resealed(text: &str) -> String {
        let (before, _) = text.trim_end().rsplit_once('\n').unwrap();
        let mut out = Vec::new();
        let mut sealing = Sealing::new(&mut out);
        writeln!(sealing, "{before}").unwrap();
        sealing.seal().unwrap();
        String::from_utf8(out).unwrap()
    }

    /// No damage goes unnoticed: neither a cut, nor a bit, nor lines of another checkpoint of the
    /// same problem.
    #[test]
    fn what_is_damaged_is_refused() {
        let text = written(Precision::Qd);
        assert_eq!(resealed(&text), text);
        let refused = |bytes: &[u8]| {
            let error = Checkpoint::read(bytes, &problem(PROBLEM)).unwrap_err();
            let message = error.to_string();
            assert!(message.starts_with("line ") && !message.contains('\n'), "{message}");
            message
        };
        for length in 0..text.len() {
            refused(&text.as_bytes()[..length]);
        }
        for bit in 0..8 * text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            refused(&bytes);
        }
        let cut = &text[..text.find("2 2 1 1").unwrap()];
        assert_eq!(
            refused(cut.as_bytes()),
            "line 6: expected the length and the CRC-32 of the file, with which it ends: the file is cut short or damaged"
        );
        let changed = text.replace("= 17", "= 18");
        assert_eq!(
            refused(changed.as_bytes()),
            "line 8: expected the length and the CRC-32 of the file, found others: the file is damaged"
        );
    }
}
