//! The tables of the elementary functions as CUDA C++, written from those of `nonius-num`: there is
//! one source.

use core::fmt::Write;

use nonius_num::multifloat::tables::{Content, Table, all};

/// The text of `tables.cuh`.
pub(crate) fn text() -> String {
    let mut text = "// Tables of the elementary functions, from crates/num/src/multifloat/elementary/tables.\n\
                    \n#pragma once\n\n#include \"num/lane.cuh\"\n\n"
        .to_string();
    for table in all() {
        // Writing to a string does not fail.
        let _ = write_table(&mut text, &table);
    }
    text
}

fn write_table(text: &mut String, Table { family, name, content }: &Table) -> core::fmt::Result {
    writeln!(text, "namespace tables::{family} {{")?;
    match content {
        Content::Number(number) => writeln!(text, "constexpr double {name} = {};", hex(*number))?,
        Content::Limbs(limbs) => writeln!(
            text,
            "static __device__ constexpr double {name}[{}] = {{{}}};",
            limbs.len(),
            row(limbs)
        )?,
        Content::Planes(planes) => {
            let (rows, columns) = (planes.len(), planes.first().map_or(0, |plane| plane.len()));
            writeln!(text, "static __device__ const double {name}[{rows}][{columns}] = {{")?;
            for plane in planes {
                writeln!(text, "{{{}}},", row(plane))?;
            }
            text.push_str("};\n");
        }
        Content::Polynomial { coefficients, terms } => {
            let [a, b, c, d] = terms;
            writeln!(
                text,
                "struct {name} {{\nstatic constexpr int terms[4] = {{{a}, {b}, {c}, {d}}};"
            )?;
            writeln!(text, "static DEVICE double coefficient(int i, int limb) {{")?;
            writeln!(text, "static constexpr double limbs[{}][4] = {{", coefficients.len())?;
            for limbs in *coefficients {
                writeln!(text, "{{{}}},", row(limbs))?;
            }
            text.push_str("};\nreturn limbs[i][limb];\n}\n};\n");
        }
        Content::Words(words) => {
            let list: Vec<_> = words.iter().map(|word| format!("{word:#x}ull")).collect();
            writeln!(
                text,
                "static __device__ const unsigned long long {name}[{}] = {{{}}};",
                words.len(),
                list.join(", ")
            )?;
        }
    }
    text.push_str("}\n");
    Ok(())
}

fn row(numbers: &[f64]) -> String {
    numbers.iter().map(|&number| hex(number)).collect::<Vec<_>>().join(", ")
}

/// A hexadecimal literal with exactly this value, which is zero or normal.
fn hex(x: f64) -> String {
    let bits = x.to_bits();
    let sign = if x.is_sign_negative() { "-" } else { "" };
    let (field, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    if x == 0.0 {
        return format!("{sign}0.0");
    }
    format!("{sign}0x1.{fraction:013x}p{}", field as i32 - 1023)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        assert_eq!(hex(1.0), "0x1.0000000000000p0");
        assert_eq!(hex(-0.1), "-0x1.999999999999ap-4");
        assert_eq!(hex(-0.0), "-0.0");
    }

    #[test]
    fn all_numbers_have_literals() {
        let ordinary = |x: &f64| *x == 0.0 || x.is_normal();
        for table in all() {
            assert!(match &table.content {
                Content::Number(x) => ordinary(x),
                Content::Limbs(limbs) => limbs.iter().all(ordinary),
                Content::Planes(planes) => planes.iter().all(|plane| plane.iter().all(ordinary)),
                Content::Polynomial { coefficients, .. } =>
                    coefficients.iter().flatten().all(ordinary),
                Content::Words(_) => true,
            });
        }
        assert!(text().contains("STEPS_PER_UNIT = 0x1.71547652b82fep12;"));
    }
}
