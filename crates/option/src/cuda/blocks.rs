//! Kernels on the host, block by block: `blocks.cpp` runs that of scans, `chains.cpp` that of
//! chains of numbers of any precision.
//!
//! Needs a C++ compiler. Where it is absent, as on machines that only test a GPU, the test says so
//! and passes, but not in continuous integration.

use libloading::Library;
use nonius_cuda::Kind;
use nonius_linalg::{Error, Scalar};
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp, Qd, Td};
use nonius_testkit::cuda;

use super::arguments::{Stage, Tile};
use super::plan::{Kernel, Plan, Words};
use super::way::{Block, Recurrences, Way};
use super::{Found, Laid, evolve_by};
use crate::evolve::tests::suite::{close, of_several_formats, same_bits};
use crate::evolve::{Evolution, Evolve, Failure, Outcome};

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

/// The kernels of one way, for blocks with `shared` bytes of shared memory.
struct Blocks {
    way: Way,
    /// For each kind of numbers that there is.
    libraries: Vec<(Kind, Library)>,
    shared: usize,
    /// Members of a kind at the most that kernels leave to the host: those of the suite that fail,
    /// or have numbers that are not finite.
    left: usize,
}

impl Blocks {
    fn scans(limbs: usize, shared: usize) -> Option<Self> {
        let (way, kind) = (Way::Scan, Kind::Limbs(limbs));
        let threads = Block::most_threads(limbs);
        let definitions = [format!("-DLIMBS={limbs}"), format!("-DTHREADS={threads}")];
        let library = cuda::build(BLOCKS, &super::source(way, kind).files(), &definitions)?;
        Some(Self { way, libraries: vec![(kind, library)], shared, left: 2 })
    }

    fn chains(all_bits: &[Bits]) -> Option<Self> {
        let way = Way::Chain;
        let library = |&bits: &Bits| {
            let (kind, definitions) = (Kind::Mp(bits), [format!("-DPRECISION={bits}")]);
            let source = super::source(way, kind);
            Some((kind, cuda::build(CHAINS, &source.files(), &definitions)?))
        };
        let libraries = all_bits.iter().map(library).collect::<Option<_>>()?;
        Some(Self { way, libraries, shared: 0, left: 6 })
    }

    /// The host computes members of the other way.
    fn run<T: Laid>(&self, plan: &Plan<'_, T>) -> Found<T> {
        if plan.way() != self.way {
            return plan.tiles().iter().map(|tile| vec![None; tile.members.len()]).collect();
        }
        let library = self.libraries.iter().find(|(kind, _)| *kind == plan.kind());
        let (_, library) = library.expect("kernels for such numbers");
        let Words { tiles, stages, numbers, firsts } = plan.words().unwrap();
        let room = plan.room();
        let (mut input, mut u) = (vec![f64::NAN; room.input], vec![f64::NAN; room.u]);
        let mut work = vec![f64::NAN; room.work];
        let (mut contacts, mut failed) = (vec![0; room.contacts], vec![7; plan.lanes()]);
        plan.fill(0, &mut input);
        // SAFETY: the library has a function of that name and type.
        let evolve =
            unsafe { library.get::<unsafe extern "C" fn(*const Arguments)>(b"evolve_blocks\0") };
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
        let lost = outcomes.iter().flatten().filter(|outcome| outcome.is_none()).count();
        assert!(lost <= self.left, "{lost} members are left to the host");
        outcomes
    }
}

impl<T: Laid> Evolve<T> for Blocks {
    fn evolve(
        &self,
        batch: &[Evolution<T>],
        of: usize,
    ) -> Result<Vec<Result<Outcome<T>, Failure>>, Error> {
        evolve_by((batch, of), Recurrences::Scans, self.shared, |plan| Ok(self.run(plan)))
    }
}

fn scans<T: Laid + Scalar>() {
    // With room for the vectors of a thousand nodes, as few GPUs have it, and with none.
    for shared in [T::LIMBS * (80 << 10), 0] {
        if let Some(blocks) = Blocks::scans(T::LIMBS, shared) {
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
    let all_bits = [424, 1000].map(|bits| Bits::new(bits).unwrap());
    let Some(blocks) = Blocks::chains(&all_bits) else { return };
    all_bits.iter().for_each(|&bits| same_bits::<Mp>(bits, &blocks));
    of_several_formats(all_bits, &blocks);
}
