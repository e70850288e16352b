//! The way to a solution: which inverse, when to refine, when to give up.

use std::time::Instant;

use nonius_num::mp::{Bits, Mp};

use super::block::Loaded;
use super::certificate::Certificate;
use super::condition::condition;
use super::data::Data;
use super::definite::Definite;
use super::inverse::Inverse;
use super::machine::Machine;
use super::magnitude::Magnitude;
use super::modular;
use super::outcome::{By, Event, Failure, Refusal, Solution, Stage};
use super::rank::{NumericalRank, numerical_rank};
use super::refine::Corrector;
use super::system::{System, Zero, check_entries};
use super::target::{DigitsIn, Target};
use super::triangle::{self, Shape, Triangle};
use super::unknowns::{End, Found, Unknowns, solve_columns};
use crate::backend::{Memory, Task};
use crate::{Error, mp};

/// The digits to prove, and the bits that the way there may take.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The decimal digits to prove.
    pub digits: u32,
    /// What the digits are counted beside: each entry, or the largest one of its column.
    pub digits_in: DigitsIn,
    /// The most bits that intermediate numbers may have.
    pub most_bits: Bits,
}

impl Options {
    /// These digits of every entry, by as many bits as there are.
    pub fn new(digits: u32) -> Self {
        let most_bits = const {
            match Bits::new(Bits::MOST) {
                Ok(bits) => bits,
                Err(_) => Bits::FEWEST,
            }
        };
        Self { digits, digits_in: DigitsIn::Entry, most_bits }
    }
}

/// `γ` above which refinement would be slow.
const LARGEST_DEFECT: f64 = 1.0 / 64.0;
/// Bits by which precisions grow.
const STEP: u32 = 64;
/// Bits of condition that a step finds at least.
const LEAST_GAIN: i64 = 16;
/// Steps in a row that may find less: the last ones before an inverse is found do, since they
/// better it where its size no longer shows it.
const PATIENCE: usize = 4;
/// Bits from which on elimination with twice as many is faster than steps of products, for matrices
/// up to an order.
const LEAST_ELIMINATION_BITS: u32 = 512;
const ELIMINATED: usize = 1024;

/// Columns of a matrix for each right-hand side from which on substitution comes before an inverse
/// in `f64`, products with which gain much more a step.
const COLUMNS_FOR_SUBSTITUTION: usize = 4;

/// Solves `A·X = B` to the digits asked for, on a machine; `report` hears what happens on the way.
///
/// A matrix that is singular is told from one that is nearly so:
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::backend::Cpu;
/// use nonius_linalg::certified::{Data, DigitsIn, Failure, Options, solve};
/// use nonius_num::mp::Bits;
///
/// let options = Options { digits: 20, digits_in: DigitsIn::Entry, most_bits: Bits::new(1024)? };
/// let tiny = 2.0_f64.powi(-40);
/// let b = Data::from_matrix(Matrix::from_fn(2, 1, |i, _| 2.0 + tiny * i as f64).view());
/// // Ones, but for 1 + x in the corner.
/// let a = |x| Data::from_matrix(Matrix::from_fn(2, 2, |i, j| 1.0 + x * (i * j) as f64).view());
/// let solved = solve(&Cpu::default(), &a(tiny), &b, options, &mut |_| {})?;
/// assert_eq!(solved.x.at(1, 0).to_f64(), 1.0);
/// let refused = solve(&Cpu::default(), &a(0.0), &b, options, &mut |_| {}).unwrap_err();
/// assert!(matches!(refused.failure, Failure::Singular { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Refusal`]: why not, and what is known.
pub fn solve<M: Machine>(
    machine: &M,
    a: &Data,
    b: &Data,
    options: Options,
    report: &mut dyn FnMut(Event),
) -> Result<Solution, Refusal> {
    machine.prepare(Task::Prove, (), a.values.rows(), b.values.cols());
    // Without rows no column has an entry that is not zero, and there is nothing to solve.
    let fits = a.values.rows() > 0
        && a.values.rows() == b.values.rows()
        && check_entries("b", &b.values).is_ok();
    if let Some(nonzero) = Nonzero::of(b).filter(|_| fits) {
        return solve_nonzero(machine, a, b, &nonzero, options, report);
    }
    let mut solver = Solver {
        machine,
        options,
        report,
        route: Vec::new(),
        condition: None,
        inverse_norm: None,
        nonsingular: false,
        bits_needed: None,
        rank_known: false,
    };
    solver.run(a, b)
}

/// The right-hand sides that are not zero.
struct Nonzero {
    columns: Vec<usize>,
}

impl Nonzero {
    /// `None` where all of them are.
    fn of(b: &Data) -> Option<Self> {
        if b.relative_error() == Some(i32::MAX) || !b.radii.is_empty() {
            return None;
        }
        let nonzero = |&j: &usize| b.values.column(j).heads().iter().any(|head| !head.is_zero());
        let columns: Vec<usize> = (0..b.values.cols()).filter(nonzero).collect();
        (columns.len() < b.values.cols()).then_some(Self { columns })
    }

    fn select(&self, b: &Data) -> mp::Matrix {
        let mut selected =
            mp::Matrix::zeros_in(b.values.bits(), b.values.rows(), self.columns.len());
        for (to, &from) in self.columns.iter().enumerate() {
            (0..b.values.rows()).for_each(|i| selected.put(i, to, b.values.entry(i, from)));
        }
        selected
    }

    /// All columns, zero where they were left out.
    fn expand(&self, x: &mp::Matrix, cols: usize) -> mp::Matrix {
        let mut all = mp::Matrix::zeros_in(x.bits(), x.rows(), cols);
        for (from, &to) in self.columns.iter().enumerate() {
            (0..x.rows()).for_each(|i| all.put(i, to, x.entry(i, from)));
        }
        all
    }
}

/// [`solve`] where some right-hand sides are zero, whose solutions are too if the matrix is
/// nonsingular.
fn solve_nonzero<M: Machine>(
    machine: &M,
    a: &Data,
    b: &Data,
    nonzero: &Nonzero,
    options: Options,
    report: &mut dyn FnMut(Event),
) -> Result<Solution, Refusal> {
    let cols = b.values.cols();
    if nonzero.columns.is_empty() {
        // Any solution proves that.
        let bits = a.values.bits();
        let ones = mp::Matrix::from_fn_in(bits, a.values.rows(), 1, |_, _| Mp::one(bits));
        let any = Options { digits: 0, digits_in: DigitsIn::Norm, ..options };
        let target = Target::new(options.digits, options.digits_in, options.most_bits);
        let target = target.ok_or(Failure::TooManyDigits(options.digits))?;
        let found = solve(machine, a, &Data::exact(ones), any, report)?;
        return Ok(Solution {
            x: mp::Matrix::zeros_in(target.bits, a.values.rows(), cols),
            digits: None,
            error_bound: Magnitude::ZERO,
            ..found
        });
    }
    let column = |selected: usize| nonzero.columns.get(selected).copied().unwrap_or(selected);
    let mut rights = b.clone();
    rights.values = nonzero.select(b);
    let mut heard = |event: Event| {
        report(match event {
            Event::Step { column: selected, steps, error_bound } => {
                Event::Step { column: column(selected), steps, error_bound }
            }
            other => other,
        });
    };
    match solve(machine, a, &rights, options, &mut heard) {
        Ok(found) => Ok(Solution { x: nonzero.expand(&found.x, cols), ..found }),
        Err(mut refusal) => {
            if let Failure::Undecided(open) = &mut refusal.failure {
                open.iter_mut().for_each(|open| open.col = column(open.col));
            }
            Err(refusal)
        }
    }
}

struct Solver<'a, M> {
    machine: &'a M,
    options: Options,
    report: &'a mut dyn FnMut(Event),
    route: Vec<Stage>,
    condition: Option<Magnitude>,
    /// `‖R‖_∞` of the last inverse.
    inverse_norm: Option<Magnitude>,
    /// Whether the matrix is proved nonsingular.
    nonsingular: bool,
    /// The bits that refinement found to be needed, where it found more than there may be.
    bits_needed: Option<u32>,
    /// Whether the rank was found not to be deficient.
    rank_known: bool,
}

/// What lets a system be solved without an inverse.
enum Structure {
    Triangle(Triangle),
    /// A matrix that may be positive definite.
    Symmetric,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Input(error)
    }
}

impl<M: Machine> Solver<'_, M> {
    fn run(&mut self, a: &Data, b: &Data) -> Result<Solution, Refusal> {
        let Options { digits, digits_in, most_bits } = self.options;
        let target =
            Target::new(digits, digits_in, most_bits).ok_or(Failure::TooManyDigits(digits))?;
        let system = System::new(a, b).map_err(Failure::from)?;
        let short = [a, b].into_iter().find(|data| data.relative_error() == Some(i32::MAX));
        let short = short.or((!a.radii.is_empty()).then_some(a));
        if let Some(data) = short {
            return Err(Failure::Data { bits: data.values().bits() }.into());
        }
        let system = match system {
            Ok(system) => system,
            Err(Zero::Row(index)) => return Err(Failure::Zero { row: true, index }.into()),
            Err(Zero::Column(index)) => return Err(Failure::Zero { row: false, index }.into()),
        };
        self.search(a, &system, &target).map_err(|failure| self.refusal(&system, &target, failure))
    }

    fn search(&mut self, a: &Data, system: &System, target: &Target) -> Result<Solution, Failure> {
        let most_bits = self.options.most_bits;
        let machine = self.machine;
        let mut structure = self.structure(system)?;
        if M::DIRECT
            && system.rights() <= (system.order() / COLUMNS_FOR_SUBSTITUTION).max(M::TOGETHER)
            && let Some(solution) = self.directly(system, target, structure.take())?
        {
            return Ok(solution);
        }
        let loaded = Loaded::new(machine, system)?;
        let mut unknowns = Unknowns::new(machine, system, target)?;
        let (mut inverse, mut certificate) = self.first(system, &loaded)?;
        // Next to R·A, where that was computed with more bits.
        let mut product: Option<<M as Memory<f64>>::Matrix> = None;
        // Whether products of matrices lead to better inverses, and how many of the last ones did
        // not.
        let (mut by_products, mut in_vain) = (true, 0);
        loop {
            self.condition = Some(condition(machine, system, &inverse)?);
            self.inverse_norm =
                Some(certificate.row_sums.iter().copied().fold(Magnitude::ZERO, Magnitude::max));
            self.nonsingular |= certificate.defect < 1.0;
            if certificate.defect < LARGEST_DEFECT {
                let with = (&inverse, &certificate);
                if let Some(found) = self.refine((system, &loaded), with, target, &mut unknowns)? {
                    return Ok(self.solution(system, target, found));
                }
            }
            if let Some(solution) = self.directly(system, target, structure.take())? {
                return Ok(solution);
            }
            let start = Instant::now();
            let old = inverse.bits().map_or(STEP, Bits::get);
            let was_by_products = by_products;
            by_products &= in_vain < PATIENCE || self.nonsingular;
            by_products &= old < LEAST_ELIMINATION_BITS || system.order() > ELIMINATED;
            if by_products {
                let gained = self.improve(system, &mut inverse, product.as_ref())?;
                in_vain = if gained { 0 } else { in_vain + 1 };
            }
            let bits = if by_products { old + STEP } else { 2 * old };
            // More bits than those of the numbers held say nothing of the numbers given.
            let held = a.relative_error().map_or(Bits::MOST, i32::unsigned_abs);
            let bits = bits.min(most_bits.get()).min(held);
            // Where there are no more bits, elimination with as many comes last.
            let last = was_by_products && bits <= old;
            by_products &= !last;
            let bits = Bits::new(bits.max(if last { old } else { 0 })).ok();
            let Some(bits) = bits.filter(|bits| last || bits.get() > old) else {
                return Err(match a.relative_error() {
                    Some(_) if held < most_bits.get() => Failure::Data { bits: a.values().bits() },
                    _ => Failure::Precision { most: most_bits, nonsingular: self.nonsingular },
                });
            };
            if !self.nonsingular && bits.get() >= M::SUSPICIOUS {
                self.check_singular(system)?;
            }
            (self.report)(Event::Inverse(Some(bits)));
            inverse = if by_products {
                Inverse::Mp(inverse.transpose(machine, bits)?)
            } else {
                inverse.eliminated(machine, system, bits)?
            };
            let (found, next) =
                Certificate::by_product(machine, system, &loaded.rows, &inverse, bits)?;
            (certificate, product) = (found, Some(next));
            self.route.push(Stage {
                by: By::Inverse,
                bits: Some(bits),
                steps: 0,
                time: start.elapsed(),
            });
        }
    }

    /// What lets a system be solved without an inverse.
    fn structure(&self, system: &System) -> Result<Option<Structure>, Failure> {
        match triangle::shape(system) {
            Shape::Singular(index) => Err(Failure::ZeroDiagonal { index }),
            Shape::Triangle(triangle) => Ok(Some(Structure::Triangle(triangle))),
            Shape::Square if !M::DIRECT || system.rights() >= M::TOGETHER => Ok(None),
            Shape::Square => Ok(Some(Structure::Symmetric).filter(|_| system.symmetric)),
        }
    }

    /// Solves without an inverse; `None` where that does not do.
    fn directly(
        &mut self,
        system: &System,
        target: &Target,
        structure: Option<Structure>,
    ) -> Result<Option<Solution>, Failure> {
        let start = Instant::now();
        let definite = match &structure {
            None => return Ok(None),
            Some(Structure::Symmetric) => Definite::new(self.machine, system)?,
            Some(Structure::Triangle(_)) => None,
        };
        let (corrector, by) = match (&structure, &definite) {
            (Some(Structure::Triangle(x)), _) => (Corrector::Triangle(x), By::Substitution),
            (_, Some(definite)) => (Corrector::Definite(definite), By::Cholesky),
            _ => return Ok(None),
        };
        let report = &mut self.report;
        let mut steps = 0;
        let mut heard = |column, error_bound| {
            steps += 1;
            report(Event::Step { column, steps, error_bound });
        };
        let (end, bits) = solve_columns(self.machine, system, corrector, target, &mut heard)?;
        let bits = bits.filter(|_| by == By::Substitution);
        self.route.push(Stage { by, bits, steps, time: start.elapsed() });
        match end {
            End::Found(found) => {
                self.condition = Some(match corrector {
                    Corrector::Triangle(triangle) => triangle.condition(system),
                    Corrector::Definite(definite) => definite.condition(system),
                    Corrector::Inverse(..) => Magnitude::INFINITE,
                });
                Ok(Some(self.solution(system, target, found)))
            }
            End::Undecided(open) => Err(Failure::Undecided(open)),
            // The bounds may be too coarse.
            End::Stagnates | End::DataTooShort(_) | End::NoMoreBits(_) => Ok(None),
        }
    }

    /// The inverse in `f64`.
    fn first(
        &mut self,
        system: &System,
        loaded: &Loaded<M>,
    ) -> Result<(Inverse<M>, Certificate), Failure> {
        let start = Instant::now();
        (self.report)(Event::Inverse(None));
        // Of the transpose, as the rows of A are the columns of what is held.
        let nearest = self.machine.nearest(&loaded.rows)?;
        let Some(inverse) = Inverse::of(self.machine, &nearest, 0)? else {
            return Err(Failure::Precision { most: self.options.most_bits, nonsingular: false });
        };
        let certificate = Certificate::in_f64(self.machine, system, &nearest, &inverse)?;
        self.route.push(Stage { by: By::Inverse, bits: None, steps: 0, time: start.elapsed() });
        Ok((Inverse::F64(inverse), certificate))
    }

    /// Replaces the inverse by a better one with as many bits. Whether it finds the condition much
    /// worse, as a step of Rump's method does until the one before the last: with few rows, or
    /// numbers of few bits, coincidences may keep it from that.
    fn improve(
        &self,
        system: &System,
        inverse: &mut Inverse<M>,
        product: Option<&<M as Memory<f64>>::Matrix>,
    ) -> Result<bool, Failure> {
        let machine = self.machine;
        let (Some(product), Some(bits)) = (product, inverse.bits()) else { return Ok(true) };
        let Some(x) = Inverse::of(machine, product, bits.get())? else { return Ok(false) };
        let before = condition(machine, system, inverse)?;
        *inverse = inverse.improved(machine, &x, bits)?;
        Ok(before.shifted(LEAST_GAIN).less(condition(machine, system, inverse)?))
    }

    /// Refines all columns; `None` where that needs a better inverse.
    fn refine(
        &mut self,
        system: (&System, &Loaded<M>),
        with: (&Inverse<M>, &Certificate),
        target: &Target,
        unknowns: &mut Unknowns<M>,
    ) -> Result<Option<Found>, Failure> {
        let start = Instant::now();
        let report = &mut self.report;
        let (mut steps, mut time) = (0, start.elapsed());
        let mut heard = |column, error_bound| {
            (steps, time) = (steps + 1, start.elapsed());
            report(Event::Step { column, steps, error_bound });
        };
        let end = unknowns.refine(self.machine, system, with, target, &mut heard)?;
        if let Some(stage) = self.route.last_mut() {
            stage.steps += steps;
            stage.time += time;
        }
        let system = system.0;
        match end {
            End::Found(found) => Ok(Some(found)),
            End::Stagnates => Ok(None),
            End::DataTooShort(worst) => {
                let bits = system.rows.bits().max(system.rights.bits());
                self.bits_needed = target.bits_for(worst, bits);
                Err(Failure::Data { bits })
            }
            End::NoMoreBits(worst) => {
                self.bits_needed = target.bits_for(worst, target.most_working_bits());
                Err(Failure::Precision { most: self.options.most_bits, nonsingular: true })
            }
            End::Undecided(open) => Err(Failure::Undecided(open)),
        }
    }

    /// Fails where more bits are of no use.
    fn check_singular(&mut self, system: &System) -> Result<(), Failure> {
        if !system.matrix_error.is_zero() || self.rank_known {
            return Ok(());
        }
        self.rank_known = true;
        let (rank, order) = (modular::rank(&system.rows), system.order());
        if rank < order { Err(Failure::Singular { rank, order }) } else { Ok(()) }
    }

    /// What is known where there is no solution.
    fn refusal(&mut self, system: &System, target: &Target, failure: Failure) -> Refusal {
        let (mut failure, mut rank) = (failure, None);
        if let Failure::Precision { most, nonsingular: false } = failure {
            let affordable = system.order() <= ELIMINATED;
            match affordable.then(|| self.check_singular(system)) {
                Some(Err(singular)) => failure = singular,
                _ => rank = numerical_rank(system, most),
            }
        }
        let bits_needed = match failure {
            Failure::Precision { most, .. } => self.bits_needed.or_else(|| {
                let needed = bits_needed(system, target, self.inverse_norm, rank.as_ref())?;
                (needed > most.get()).then_some(needed)
            }),
            _ => self.bits_needed,
        };
        let route = core::mem::take(&mut self.route);
        Refusal { failure, route, condition: self.condition, rank: rank.map(Box::new), bits_needed }
    }

    fn solution(&mut self, system: &System, target: &Target, found: Found) -> Solution {
        let Found { mut y, whole, worst } = found;
        system.unscale(&mut y);
        let error_bound = match whole {
            // As many bits as hold it, or rounded to those of the target.
            Some(true) => Magnitude::ZERO,
            Some(false) => Magnitude::power(2 - i64::from(target.bits.get())),
            None => worst,
        };
        Solution {
            x: y,
            digits: error_bound.digits(),
            error_bound,
            condition: self.condition.unwrap_or(Magnitude::INFINITE),
            route: core::mem::take(&mut self.route),
        }
    }
}

/// The bits of the digits and of the condition `‖A′‖·‖A′^-1‖`, as far as that is known: its second
/// factor is the norm of the last inverse, or the reciprocal of the distance `n·τ` from a matrix of
/// lower rank, where that is more.
fn bits_needed(
    system: &System,
    target: &Target,
    inverse_norm: Option<Magnitude>,
    rank: Option<&NumericalRank>,
) -> Option<u32> {
    let n = system.order();
    let row_sum = |i: usize| {
        let row = system.rows.column(i);
        (0..n).map(|j| Magnitude::above(row.entry(j))).fold(Magnitude::ZERO, Magnitude::plus)
    };
    let norm = (0..n).map(row_sum).fold(Magnitude::ZERO, Magnitude::max);
    let deficient = rank.filter(|rank| rank.rank < n).map(|rank| {
        let distance = rank.tolerance.times(Magnitude::new(n as f64, 0));
        Magnitude::power(0).over_difference(distance, Magnitude::ZERO)
    });
    let inverse = [inverse_norm, deficient].into_iter().flatten().filter(|x| x.is_finite());
    let inverse = inverse.reduce(Magnitude::max)?;
    let of_condition = inverse.times(norm).log10() / core::f64::consts::LOG10_2;
    let of_digits = f64::from(target.digits) / core::f64::consts::LOG10_2;
    Some((of_condition + of_digits).ceil().max(0.0) as u32)
}
