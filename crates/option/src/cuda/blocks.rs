//! Kernels on the host, block by block: `blocks.cpp` runs that of scans, `chains.cpp` that of
//! chains of numbers of any precision.
//!
//! Needs a C++ compiler. Where it is absent, as on machines that only test a GPU, the test says so
//! and passes, but not in continuous integration.

use libloading::Library;
use nonius_linalg::backend::Reference;
use nonius_linalg::{Error, Scalar};
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp, Qd, Td};
use nonius_testkit::cuda;

use super::Laid;
use super::arguments::{Stage, Tile};
use super::plan::{Kernel, Plan, Words};
use super::way::{Block, Recurrences, Way};
use crate::evolve::tests::suite::{close, same_bits};
use crate::evolve::{Evolution, Evolve, Failure, Outcome, alike};

/// What runs the kernels.
const BLOCKS: (&str, &str) = ("blocks.cpp", include_str!("blocks.cpp"));
const CHAINS: (&str, &str) = ("chains.cpp", include_str!("chains.cpp"));

/// What `blocks.cpp` calls `Kernel`.
#[repr(C)]
struct Arguments {
    tiles: *const Tile,
    stages: *const Stage,
    input: *const f64,
    u: *mut f64,
    work: *mut f64,
    numbers: *const f64,
    firsts: *const i32,
    contacts: *mut u32,
    failed: *mut u32,
    in_work: i64,
    threads: i64,
    blocks: i64,
}

/// Kernels for numbers of some limbs, or of some bits, with so many bytes of shared memory.
struct Blocks {
    library: Library,
    way: Way,
    shared: usize,
    /// Members at the most that kernels leave to the host: those of `testkit` that fail, or have
    /// numbers that are not finite.
    left: usize,
}

impl Blocks {
    fn new(limbs: usize, shared: usize) -> Option<Self> {
        let threads = Block::most_threads(limbs);
        let definitions = [format!("-DLIMBS={limbs}"), format!("-DTHREADS={threads}")];
        let source = super::source(Way::Scan, ("LIMBS", limbs));
        let library = cuda::build(BLOCKS, &source.files(), &definitions)?;
        Some(Self { library, way: Way::Scan, shared, left: 2 })
    }

    fn chains(bits: Bits) -> Option<Self> {
        let source = super::source(Way::Chain, Mp::definition(bits));
        let definitions = [format!("-DPRECISION={bits}")];
        let library = cuda::build(CHAINS, &source.files(), &definitions)?;
        Some(Self { library, way: Way::Chain, shared: 0, left: 4 })
    }

    fn run<T: Laid>(&self, plan: &Plan<'_, T>) -> Vec<Vec<Option<Outcome<T>>>> {
        let Words { tiles, stages, numbers, firsts } = plan.words().unwrap();
        let room = plan.room();
        let (mut input, mut u) = (vec![f64::NAN; room.input], vec![f64::NAN; room.u]);
        let mut work = vec![f64::NAN; room.work];
        let (mut contacts, mut failed) = (vec![0; room.contacts], vec![7; plan.lanes()]);
        plan.fill(0, &mut input);
        // SAFETY: the library has a function of that name and type.
        let evolve = unsafe {
            self.library.get::<unsafe extern "C" fn(*const Arguments)>(b"evolve_blocks\0")
        };
        let evolve = evolve.expect("the function");
        for Kernel { first, count, threads, in_work, .. } in plan.launches() {
            let arguments = Arguments {
                tiles: tiles[first..].as_ptr(),
                stages: stages.as_ptr(),
                input: input.as_ptr(),
                u: u.as_mut_ptr(),
                work: work.as_mut_ptr(),
                numbers: numbers.as_ptr(),
                firsts: firsts.as_ptr(),
                contacts: contacts.as_mut_ptr(),
                failed: failed[first * plan.way().width()..].as_mut_ptr(),
                in_work: in_work.into(),
                threads: threads.into(),
                blocks: count as i64,
            };
            // SAFETY: as on a device: tiles and their stages say where in the other memory their
            // numbers are, as the plan laid it out.
            unsafe { evolve(&arguments) };
        }
        let mut outcomes = plan.outcomes(&contacts, &failed);
        plan.take(0, &u, &mut outcomes);
        outcomes
    }
}

impl<T: Laid> Evolve<T> for Blocks {
    fn evolve(&self, batch: &[Evolution<T>]) -> Result<Vec<Result<Outcome<T>, Failure>>, Error> {
        if batch.is_empty() {
            return Ok(Vec::new());
        }
        let mut outcomes: Vec<_> = batch.iter().map(|_| None).collect();
        let ways = Way::of_all(Recurrences::Scans, batch);
        let scanned = |&i: &usize| ways[i] == self.way;
        let groups = alike(batch).into_iter();
        let groups: Vec<Vec<usize>> =
            groups.map(|group| group.into_iter().filter(scanned).collect()).collect();
        let plan = Plan::new(self.way, batch, &groups, self.shared);
        let mut lost = 0;
        for (tile, found) in plan.tiles().iter().zip(self.run(&plan)) {
            lost += found.iter().filter(|outcome| outcome.is_none()).count();
            tile.places.iter().zip(found).for_each(|(&i, outcome)| outcomes[i] = outcome);
        }
        assert!(lost <= self.left, "{lost} members are left to the host");
        let left = |(member, outcome): (&Evolution<T>, Option<Outcome<T>>)| match outcome {
            Some(outcome) => Ok(Ok(outcome)),
            None => Ok(Reference.evolve(core::slice::from_ref(member))?.remove(0)),
        };
        batch.iter().zip(outcomes).map(left).collect()
    }
}

fn scans<T: Laid + Scalar>() {
    // With room for the vectors of a thousand nodes, as few GPUs have it, and with none.
    for shared in [T::LIMBS * (80 << 10), 0] {
        if let Some(blocks) = Blocks::new(T::LIMBS, shared) {
            close::<T>(&blocks);
        }
    }
}

#[test]
fn scans_of_f64_are_close_to_the_reference() {
    scans::<f64>();
}

#[test]
fn scans_of_dd_are_close_to_the_reference() {
    scans::<Dd>();
}

#[test]
fn scans_of_td_are_close_to_the_reference() {
    scans::<Td>();
}

#[test]
fn scans_of_qd_are_close_to_the_reference() {
    scans::<Qd>();
}

#[test]
fn chains_of_any_bits_have_the_bits_of_the_reference() {
    for bits in [424, 1000].map(|bits| Bits::new(bits).unwrap()) {
        if let Some(blocks) = Blocks::chains(bits) {
            same_bits::<Mp>(bits, &blocks);
        }
    }
}
