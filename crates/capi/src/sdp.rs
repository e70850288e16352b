//! Semidefinite programs in SDPA's formats: read, solved and proved.

use std::ffi::c_char;
use std::fs::File;

use nonius::sdp::{
    AnyPoint, BlockValues, Certificate, Certify, LastPrecision, Phase, Problem, Report, Solve,
    input,
};
use nonius::{Dd, Mp, Precision, Qd, Td};

use crate::any::{Any, Kind};
use crate::failure::{Failure, guarded};
use crate::matrix::Matrix;
use crate::pointers::{check, free, hand_over, put_if_wanted, reference, text};
use crate::precision::decoded;
use crate::settings::{device, on_threads};
use crate::status::Status;
use crate::text::Buffer;

/// The matrix X of a point, of the primal program.
pub const NONIUS_PRIMAL: u32 = 0;
/// The matrix Y of a point, of the dual program.
pub const NONIUS_DUAL: u32 = 1;

/// A semidefinite program: minimise c·x where X = Σ xᵢ·Fᵢ − F₀ is positive semidefinite, and its
/// dual: maximise F₀•Y where Fᵢ•Y = cᵢ and Y is positive semidefinite.
#[derive(Debug)]
pub struct Program(Problem);

/// What a solver found: x, X and Y, and what is known of them.
#[derive(Debug)]
pub struct Point {
    report: Report,
    point: AnyPoint,
}

/// What is proved of a program.
#[derive(Debug)]
pub struct Proof(Certificate);

/// Reads a program from a file: SDPA's dense format where the name ends in `.dat`, else its sparse
/// format.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sdp_read(
    path: *const c_char,
    program: *mut *mut Program,
) -> Status {
    guarded(|| {
        check(program, "program")?;
        // SAFETY: the contract for a text.
        let path = unsafe { text(path, "path") }?;
        let failed = |error: &dyn core::fmt::Display| {
            Failure::new(Status::Text, format_args!("{path}: {error}"))
        };
        let file = File::open(path).map_err(|error| failed(&error))?;
        let read =
            if path.ends_with(".dat") { input::read_dense(file) } else { input::read_sparse(file) };
        let made = Program(read.map_err(|error| failed(&error))?);
        // SAFETY: the contract for an output; the pointer is checked.
        unsafe { hand_over(program, made) };
        Ok(())
    })
}

/// Reads a program from a text in SDPA's sparse format. Its numbers stay the decimals of the text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sdp_parse(
    source: *const c_char,
    program: *mut *mut Program,
) -> Status {
    guarded(|| {
        check(program, "program")?;
        // SAFETY: the contract for a text.
        let source = unsafe { text(source, "source") }?;
        let read = input::read_sparse(source.as_bytes());
        let made = Program(read.map_err(|error| Failure::new(Status::Text, error))?);
        // SAFETY: the contract for an output; the pointer is checked.
        unsafe { hand_over(program, made) };
        Ok(())
    })
}

/// The numbers of constraints and of blocks; either pointer may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sdp_size(
    program: *const Program,
    constraints: *mut usize,
    blocks: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the contract for a handle that is read.
        let Program(problem) = unsafe { reference(program, "program") }?;
        // SAFETY: the contract for values that are written or null.
        unsafe {
            put_if_wanted(constraints, problem.constraints(), "constraints")?;
            put_if_wanted(blocks, problem.blocks().len(), "blocks")
        }
    })
}

/// Frees a program. NULL is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sdp_free(program: *mut Program) {
    // SAFETY: the contract for a handle that is freed.
    unsafe { free(program) }
}

/// Solves a program in one precision after the other, up to the one given; 0 stands for the
/// precision that the gap takes. The relative gap may be 0 too, for what the precision usually
/// reaches. Where a proof is to follow, `then_proved` is not 0.
///
/// A program that is infeasible is no error: nonius_sdp_phase says so.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sdp_solve(
    program: *const Program,
    precision: u32,
    gap: f64,
    then_proved: i32,
    point: *mut *mut Point,
) -> Status {
    guarded(|| {
        check(point, "point")?;
        // SAFETY: the contract for a handle that is read.
        let Program(problem) = unsafe { reference(program, "program") }?;
        let last = match precision {
            0 => LastPrecision::Auto,
            code => decoded(code)?.into(),
        };
        let mut task =
            Solve::new(problem).precision(last).then_proved(then_proved != 0).device(device());
        if gap != 0.0 {
            if !(gap > 0.0 && gap < 1.0) {
                let text = format_args!("gap: expected 0, or more and less than 1, found {gap}");
                return Err(Failure::argument(text));
            }
            task = task.gap(gap);
        }
        let (report, found, _) = on_threads(|| Ok(task.run()?))?;
        // SAFETY: the contract for an output; the pointer is checked.
        unsafe { hand_over(point, Point { report, point: found }) };
        Ok(())
    })
}

/// What the solver says of the program, as SDPA spells it: `pdOPT` for an optimum, `pINF_dFEAS` for
/// an infeasible primal program, `pFEAS_dINF` for an infeasible dual one. The buffer is as in
/// nonius_matrix_decimal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sdp_phase(
    point: *const Point,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the contract for a handle that is read.
        let point = unsafe { reference(point, "point") }?;
        // SAFETY: the contract for a buffer.
        unsafe { Buffer { bytes: buffer, capacity, length }.write(point.report.phase.name()) }
    })
}

/// The objective of the primal program, c·x for NONIUS_PRIMAL, or of the dual one, F₀•Y for
/// NONIUS_DUAL, in decimal. The buffer is as in nonius_matrix_decimal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sdp_objective(
    point: *const Point,
    which: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the contract for a handle that is read.
        let point = unsafe { reference(point, "point") }?;
        let text = &point.report.objectives[usize::from(is_dual(which)?)];
        // SAFETY: the contract for a buffer.
        unsafe { Buffer { bytes: buffer, capacity, length }.write(text) }
    })
}

/// The relative gap between both objectives, and how many iterations there were; either pointer may
/// be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sdp_progress(
    point: *const Point,
    gap: *mut f64,
    iterations: *mut u64,
) -> Status {
    guarded(|| {
        // SAFETY: the contract for a handle that is read.
        let report = &unsafe { reference(point, "point") }?.report;
        // SAFETY: the contract for values that are written or null.
        unsafe {
            put_if_wanted(gap, report.relative_gap, "gap")?;
            put_if_wanted(iterations, report.iterations, "iterations")
        }
    })
}

/// The numbers x of a point, as a column.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sdp_x(point: *const Point, x: *mut *mut Matrix) -> Status {
    guarded(|| {
        check(x, "x")?;
        // SAFETY: the contract for a handle that is read.
        let point = unsafe { reference(point, "point") }?;
        let made = part(&point.point, Part::X)?;
        // SAFETY: the contract for an output; the pointer is checked.
        unsafe { hand_over(x, Matrix(made)) };
        Ok(())
    })
}

/// A block, which counts from 0, of X for NONIUS_PRIMAL or Y for NONIUS_DUAL. A diagonal block is a
/// column: its diagonal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sdp_block(
    point: *const Point,
    which: u32,
    block: usize,
    matrix: *mut *mut Matrix,
) -> Status {
    guarded(|| {
        check(matrix, "matrix")?;
        // SAFETY: the contract for a handle that is read.
        let point = unsafe { reference(point, "point") }?;
        let made = part(&point.point, Part::Block { is_dual: is_dual(which)?, index: block })?;
        // SAFETY: the contract for an output; the pointer is checked.
        unsafe { hand_over(matrix, Matrix(made)) };
        Ok(())
    })
}

/// Frees a point. NULL is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sdp_point_free(point: *mut Point) {
    // SAFETY: the contract for a handle that is freed.
    unsafe { free(point) }
}

/// Proves what can be proved of a program from one of its points: bounds of the optimum, or that it
/// is infeasible.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sdp_certify(
    program: *const Program,
    point: *const Point,
    proof: *mut *mut Proof,
) -> Status {
    guarded(|| {
        check(proof, "proof")?;
        // SAFETY: the contract for handles that are read.
        let (Program(problem), Point { report, point }) =
            unsafe { (reference(program, "program")?, reference(point, "point")?) };
        let task = Certify::new(problem, point, report.phase).device(device());
        let made = Proof(on_threads(|| Ok(task.run()?))?);
        // SAFETY: the contract for an output; the pointer is checked.
        unsafe { hand_over(proof, made) };
        Ok(())
    })
}

/// A number in decimal that is proved not to be above the optimum. Where there is none, the status
/// is NONIUS_STATUS_NUMBERS and the last error says why. The buffer is as in nonius_matrix_decimal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sdp_lower(
    proof: *const Proof,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the contract for a handle that is read.
        let Proof(proof) = unsafe { reference(proof, "proof") }?;
        let bound = proof.lower.as_ref().map_err(|why| Failure::new(Status::Numbers, why))?;
        // SAFETY: the contract for a buffer.
        unsafe { Buffer { bytes: buffer, capacity, length }.write(bound) }
    })
}

/// A number in decimal that is proved not to be below the optimum; else as nonius_sdp_lower.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sdp_upper(
    proof: *const Proof,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the contract for a handle that is read.
        let Proof(proof) = unsafe { reference(proof, "proof") }?;
        let bound = proof.upper.as_ref().map_err(|why| Failure::new(Status::Numbers, why))?;
        // SAFETY: the contract for a buffer.
        unsafe { Buffer { bytes: buffer, capacity, length }.write(bound) }
    })
}

/// How many decimal digits of the optimum are proved, NaN where a bound is missing; and whether a
/// program is proved infeasible: 0 for neither, 1 for the primal one, 2 for the dual one. Either
/// pointer may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sdp_proved(
    proof: *const Proof,
    digits: *mut f64,
    infeasible: *mut i32,
) -> Status {
    guarded(|| {
        // SAFETY: the contract for a handle that is read.
        let Proof(proof) = unsafe { reference(proof, "proof") }?;
        let which = match proof.infeasible {
            None => 0,
            Some(Phase::PrimalInfeasible) => 1,
            Some(_) => 2,
        };
        // SAFETY: the contract for values that are written or null.
        unsafe {
            put_if_wanted(digits, proof.digits().unwrap_or(f64::NAN), "digits")?;
            put_if_wanted(infeasible, which, "infeasible")
        }
    })
}

/// Frees a proof. NULL is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sdp_proof_free(proof: *mut Proof) {
    // SAFETY: the contract for a handle that is freed.
    unsafe { free(proof) }
}

fn is_dual(which: u32) -> Result<bool, Failure> {
    match which {
        NONIUS_PRIMAL => Ok(false),
        NONIUS_DUAL => Ok(true),
        other => Err(Failure::argument(format_args!("which: expected 0 or 1, found {other}"))),
    }
}

/// A part of a point.
#[derive(Clone, Copy)]
enum Part {
    X,
    Block { is_dual: bool, index: usize },
}

/// In the precision of the point.
fn part(point: &AnyPoint, part: Part) -> Result<Any, Failure> {
    macro_rules! in_kind {
        ($number:ty, $format:expr) => {{
            let solution = point.to::<$number>($format);
            let (rows, cols, numbers) = match part {
                Part::X => (solution.x.len(), 1, solution.x),
                Part::Block { is_dual, index } => {
                    let mut blocks = if is_dual { solution.dual } else { solution.primal };
                    if index >= blocks.len() {
                        let text = format_args!("block {index} of {} blocks", blocks.len());
                        return Err(Failure::shape(text));
                    }
                    match blocks.swap_remove(index) {
                        BlockValues::Dense { order, entries } => (order, order, entries),
                        BlockValues::Diagonal(entries) => (entries.len(), 1, entries),
                    }
                }
            };
            let made = nonius::Matrix::from_numbers(rows, cols, numbers);
            made.map(<$number as Kind>::any)
        }};
    }
    let made = match point.precision() {
        Precision::F64 => in_kind!(f64, ()),
        Precision::Dd => in_kind!(Dd, ()),
        Precision::Td => in_kind!(Td, ()),
        Precision::Qd => in_kind!(Qd, ()),
        Precision::Mp(bits) => in_kind!(Mp, bits),
    };
    made.ok_or_else(|| Failure::new(Status::Internal, "a point of another shape"))
}
