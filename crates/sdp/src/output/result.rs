//! Files of results.

use std::io::{self, Write};

use nonius_linalg::{Number, Numbers};

use super::number::append;
use super::summary;
use crate::report::Report;
use crate::seal::Sealing;
use crate::solution::{BlockValues, Solution};

/// How a result begins.
pub(crate) const TITLE: &str = "Nonius ";

/// Writes a result as SDPA does: a line with the version of Nonius and `title`, the iterations,
/// what was found, the parameters, `x`, `X` and `Y`, and a [seal](crate::seal). Of an entry and its
/// mirror image, the one above the diagonal is written for both.
///
/// # Errors
/// Those of `out`.
pub fn write_result<T: Number>(
    out: &mut dyn Write,
    title: &str,
    report: &Report,
    solution: &Solution<T>,
) -> io::Result<()> {
    let mut out = Sealing::new(out);
    writeln!(out, "{TITLE}{} {title}", env!("CARGO_PKG_VERSION"))?;
    summary::write(&mut out, report)?;
    let mut text = Vec::new();
    out.write_all(b"\nxVec = \n")?;
    write_vector(&mut out, &solution.x, &mut text)?;
    for (name, blocks) in [("xMat", &solution.primal), ("yMat", &solution.dual)] {
        writeln!(out, "{name} = \n{{")?;
        for block in blocks {
            match block {
                BlockValues::Dense { order, .. } => {
                    write_dense(&mut out, block, *order, &mut text)?
                }
                BlockValues::Diagonal(entries) => write_vector(&mut out, entries, &mut text)?,
            }
        }
        out.write_all(b"}\n")?;
    }
    out.seal()
}

fn write_vector<T: Number>(
    out: &mut dyn Write,
    numbers: &Numbers<T>,
    text: &mut Vec<u8>,
) -> io::Result<()> {
    text.clear();
    text.push(b'{');
    append(numbers.as_slice().iter(), b",", text);
    text.extend_from_slice(b"}\n");
    out.write_all(text)
}

fn write_dense<T: Number>(
    out: &mut dyn Write,
    block: &BlockValues<T>,
    order: usize,
    text: &mut Vec<u8>,
) -> io::Result<()> {
    for row in 0..order {
        text.clear();
        text.extend_from_slice(if row == 0 { b"{ {" } else { b"  {" });
        let entries = (0..order).filter_map(|col| block.at(row.min(col), row.max(col)));
        append(entries, b",", text);
        text.extend_from_slice(if row + 1 == order { b" }   }\n" } else { b" },\n" });
        out.write_all(text)?;
    }
    Ok(())
}
