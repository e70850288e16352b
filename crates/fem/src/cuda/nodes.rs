//! Nodes, loads and time on a device.

use nonius_cuda::Cuda;
use nonius_gpu::{Buffer, Const, Error, Kernel, Module, Pointer, Shape};

use super::arguments::{
    self as kernel, DRIFT, ENERGIES, MOTION, MOVE_NODES, Motion, Move, PLACE_NODES, PRESS, Press,
    RESCALE, Rescale, TICK, Tally, Tick,
};
use super::clock::Clock;
use super::numbers::{Format, Numbers, int};
use super::sources::node_source;
use super::tables::{Corners, Tables, courses, gravity, roles};
use crate::model::Wall;
use crate::solid::{Goal, Limits, Masses, NODES, Precision, Pressed, Problem, Share, State, Whole};

/// Threads of a block, see `fem/nodes.cuh`: works have a part for each.
const THREADS: usize = NODES;

/// Bytes of a `Row` in `fem/exchange.cuh`.
const ROW: usize = 48;

/// How the sums of the last step come to accelerations: `Assembly` in `fem/nodes.cu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assembly {
    Nothing = 0,
    Increments = 1,
    InFull = 2,
}

/// Nodes of a run: those that a rank sees.
pub(super) struct Nodes {
    /// The kernels.
    pub(super) module: Module,
    press: Kernel<Press>,
    tick: Kernel<Tick>,
    move_nodes: Kernel<Move>,
    energies: Kernel<Tally>,
    motion: Kernel<Motion>,
    drift: Kernel<Tally>,
    rescale: Kernel<Rescale>,
    place_nodes: Option<Kernel<kernel::Nodes>>,
    /// Groups of the rank's own nodes, and blocks of threads that move all.
    groups: usize,
    blocks: usize,
    /// How many nodes are the rank's own.
    owned: usize,
    /// How many there are on all ranks.
    all: usize,
    coordinates: Buffer,
    /// What elements see of nodes that are pairs: `Row` in `fem/exchange.cuh`.
    rows: Option<Buffer>,
    pub(super) u: Numbers,
    pub(super) v: Numbers,
    pub(super) a: Numbers,
    pub(super) clock: Buffer,
    pub(super) sums: Buffer,
    /// Of each group the size of accelerations.
    pub(super) sizes: Buffer,
    works: Buffer,
    forces: Buffer,
    /// How many nodes pressures reach, and how many of these are the rank's own.
    pressed: [usize; 2],
    pub(super) arguments: kernel::Nodes,
    _tables: Vec<Buffer>,
    _numbers: [Option<Numbers>; 2],
}

impl Nodes {
    pub(super) fn new(
        cuda: &Cuda,
        problem: &Problem,
        precision: Precision,
        state: &State,
        (share, whole, masses): (&Share, &Whole, &Masses),
    ) -> Result<Self, Error> {
        let module = cuda.device().module(&node_source(precision))?;
        let format = Format::of_nodes(precision);
        let old = |&node: &u32| whole.old_number(node as usize) as u32;
        let order: Vec<u32> = share.nodes.iter().map(old).collect();
        let (count, owned) = (order.len(), share.owned);
        let own = &share.problem;
        // The first numbers of all nodes, then the second ones, then the third.
        let ordered = |numbers: &[[f64; 3]]| -> Vec<f64> {
            let of = |k: usize| order.iter().map(move |&node| numbers[node as usize][k]);
            (0..3).flat_map(of).collect()
        };
        let of_nodes: Vec<f64> = order.iter().map(|&node| masses.nodes[node as usize]).collect();
        let numbers = |of: &[[f64; 3]]| Numbers::new(cuda, &ordered(of), format);
        let coordinates = cuda.numbers(&ordered(&problem.coordinates))?;
        let u = numbers(&state.displacements)?;
        let v = numbers(&state.velocities)?;
        let a = numbers(&state.accelerations)?;
        let are_pairs = format == Format::Pair;
        let room = |bytes: usize| Buffer::new(cuda.stream(), bytes);
        let rows = are_pairs.then(|| room(ROW * count)).transpose()?;
        let origins = are_pairs.then(|| numbers(&problem.coordinates)).transpose()?;
        let inverses: Vec<f64> =
            of_nodes.iter().map(|&mass| if mass > 0.0 { 1.0 / mass } else { 0.0 }).collect();
        let inverses = are_pairs.then(|| Numbers::new(cuda, &inverses, format)).transpose()?;
        let [_, slots] = share.sums;
        let sums = room(slots * Format::of_elements(precision).force())?;
        let clock = cuda.numbers(&[Clock::new(own, state)])?;
        let pressed = Pressed::new(own);
        let groups = owned.div_ceil(THREADS);
        let blocks = groups + (share.moved - owned).div_ceil(THREADS);
        let of_groups = whole.groups().into_iter().map(|group| state.tallies.nodes[group]);
        let mut works: Vec<[f64; 2]> = of_groups.collect();
        // Works of nodes of other ranks' groups are these ranks'.
        works.resize(blocks, [0.0; 2]);
        let works = cuda.numbers(&works)?;
        let sizes = room(8 * groups)?;

        let mut tables = Tables { cuda, kept: Vec::new() };
        let (turns, others) = turns(share);
        let courses = courses(own, &mut tables)?;
        let turns = cuda.numbers(&turns)?;
        let (roles, common_walls) = roles(own, &pressed);
        let (mut numbers_of_roles, mut of_role) = (vec![0u32; count], Vec::new());
        let mut loads: Vec<kernel::Load> = Vec::new();
        for (number, (&node, role)) in roles.iter().enumerate() {
            numbers_of_roles[node as usize] = number as u32 + 1;
            of_role.push(kernel::Role {
                given: role.given,
                walls: role.walls,
                first_load: loads.len() as u32,
                loads: role.loads.len() as u32,
                pressed: role.pressed,
                unused: 0,
            });
            for &[axis, course] in &role.loads {
                let (axis, course) = (int(axis as usize)?, int(course as usize)?);
                loads.push(kernel::Load { axis, course });
            }
        }
        let mut motions = Vec::with_capacity(own.motions.len());
        for motion in &own.motions {
            let course = int(motion.course as usize)?;
            motions.push(kernel::Given { course, is_velocity: i32::from(motion.is_velocity) });
        }
        let wall = |wall: &Wall| kernel::Wall { point: wall.point, normal: wall.normal };
        let walls: Vec<_> = own.walls.iter().map(wall).collect();
        let forces = cuda.numbers(&whole.pressures_of(share, state))?;
        let meetings = Corners::new(own, &pressed)?;
        // What a single rank reads is in the order of the problem.
        let numbered: Vec<u32> = (0..owned as u32).collect();
        let names = if whole.is_alone() { &order } else { &numbered };
        let arguments = kernel::Nodes {
            clock: clock.pointer(),
            courses,
            turns: tables.keep(turns),
            others: tables.numbers(&others)?,
            sums: sums.pointer(),
            x: coordinates.pointer(),
            masses: tables.numbers(&of_nodes)?,
            u: u.pointer(),
            v: v.pointer(),
            a: a.pointer(),
            rows: rows.as_ref().map_or(Pointer::NULL, Buffer::pointer),
            origins: origins.as_ref().map_or(Pointer::NULL, Numbers::pointer),
            inverses: inverses.as_ref().map_or(Pointer::NULL, Numbers::pointer),
            roles: if roles.is_empty() {
                Pointer::NULL
            } else {
                tables.numbers(&numbers_of_roles)?
            },
            names: tables.numbers(names)?,
            numbers: tables.numbers(&share.nodes)?,
            of_role: tables.numbers(&of_role)?,
            motions: tables.numbers(&motions)?,
            loads: tables.numbers(&loads)?,
            walls: tables.numbers(&walls)?,
            gravity: gravity(problem, &order, &mut tables)?,
            pressed: forces.pointer(),
            pressed_changes: tables.room(24 * pressed.nodes.len())?,
            first_corner: tables.numbers(&meetings.first)?,
            corners: tables.numbers(&meetings.corners)?,
            faces: tables.numbers(&meetings.faces)?,
            works: works.pointer(),
            sizes: sizes.pointer(),
            count: count as i64,
            owned: owned as i64,
            moved: share.moved as i64,
            gravities: int(own.gravity.len())?,
            pressed_count: int(pressed.nodes.len())?,
            common_walls,
            unused: 0,
        };
        Ok(Self {
            press: module.kernel(PRESS)?,
            tick: module.kernel(TICK)?,
            move_nodes: module.kernel(MOVE_NODES)?,
            energies: module.kernel(ENERGIES)?,
            motion: module.kernel(MOTION)?,
            drift: module.kernel(DRIFT)?,
            rescale: module.kernel(RESCALE)?,
            place_nodes: are_pairs.then(|| module.kernel(PLACE_NODES)).transpose()?,
            module,
            groups,
            blocks,
            owned,
            all: whole.nodes(),
            coordinates,
            rows,
            u,
            v,
            a,
            clock,
            sums,
            sizes,
            works,
            forces,
            pressed: [pressed.nodes.len(), pressed.of_first(owned)],
            arguments,
            _tables: tables.kept,
            _numbers: [origins, inverses],
        })
    }

    /// How many nodes are the rank's own.
    pub(super) fn owned(&self) -> usize {
        self.owned
    }

    /// What elements see of nodes: coordinates, or rows.
    pub(super) fn seen(&self) -> Pointer<Const<kernel::Place>> {
        self.rows.as_ref().unwrap_or(&self.coordinates).pointer()
    }

    /// The shape of a launch of so many blocks of threads.
    fn shape(blocks: usize) -> Shape {
        Shape { grid: [blocks as u32, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 }
    }

    /// The shape of a launch of one thread.
    pub(super) fn one() -> Shape {
        Shape { block: [1; 3], ..Self::shape(1) }
    }

    /// The shape of a launch with a thread for each of some things.
    pub(super) fn shape_of(count: usize) -> Shape {
        Self::shape(count.div_ceil(THREADS))
    }

    /// Begins the first of `steps` steps to a goal.
    ///
    /// # Safety
    /// Nobody else uses the run's memory until the stream has come so far.
    pub(super) unsafe fn begin(
        &self,
        cuda: &Cuda,
        limits: Limits,
        goal: Goal,
        steps: u64,
    ) -> Result<(), Error> {
        let Limits { factor, most, .. } = limits;
        // SAFETY: the caller's promise.
        unsafe {
            self.tick(cuda, true, [goal.end, goal.pause, factor, most], steps)?;
            self.move_nodes(cuda, Assembly::Nothing, true)
        }
    }

    /// Ends the step under way, and begins the next. Accelerations are in memory afterwards if it
    /// `keeps` them, or no step follows.
    ///
    /// # Safety
    /// As [`begin`](Self::begin).
    pub(super) unsafe fn turn(
        &self,
        cuda: &Cuda,
        assembly: Assembly,
        keeps: bool,
    ) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe {
            self.press(cuda, false)?;
            self.tick(cuda, false, [0.0; 4], 0)?;
            self.move_nodes(cuda, assembly, keeps)
        }
    }

    /// Puts values of courses at the time where kernels look for them.
    ///
    /// # Safety
    /// As [`begin`](Self::begin).
    pub(super) unsafe fn evaluate(&self, cuda: &Cuda) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { self.tick(cuda, true, [0.0; 4], 0) }
    }

    /// Puts places of nodes at the time where elements look for them.
    ///
    /// # Safety
    /// As [`begin`](Self::begin).
    pub(super) unsafe fn place(&self, cuda: &Cuda) -> Result<(), Error> {
        let Some(kernel) = &self.place_nodes else { return Ok(()) };
        // SAFETY: the caller's promise.
        unsafe { kernel.launch(cuda.stream(), Self::shape(self.blocks), &self.arguments) }
    }

    unsafe fn press(&self, cuda: &Cuda, is_at_rest: bool) -> Result<(), Error> {
        let arguments = Press { nodes: self.arguments, is_at_rest: i32::from(is_at_rest) };
        // SAFETY: the caller's promise.
        unsafe { self.press.launch(cuda.stream(), Self::shape_of(self.pressed[0]), &arguments) }
    }

    unsafe fn tick(
        &self,
        cuda: &Cuda,
        begins: bool,
        [end, pause, factor, most]: [f64; 4],
        steps: u64,
    ) -> Result<(), Error> {
        let (nodes, begins) = (self.arguments, i32::from(begins));
        let left = steps.min(i64::MAX as u64) as i64;
        let arguments = Tick { nodes, begins, end, pause, factor, most, left };
        // SAFETY: as above.
        unsafe { self.tick.launch(cuda.stream(), Self::shape(1), &arguments) }
    }

    /// Finds the scale of forces by the sizes of accelerations of all groups, at their places.
    ///
    /// # Safety
    /// As [`begin`](Self::begin); both arrays have a number for each group.
    pub(super) unsafe fn rescale(
        &self,
        cuda: &Cuda,
        sizes: Pointer<Const<f64>>,
        places: Pointer<Const<u32>>,
    ) -> Result<(), Error> {
        let arguments = Rescale { nodes: self.arguments, sizes, places, count: self.all as i64 };
        // SAFETY: the caller's promise.
        unsafe { self.rescale.launch(cuda.stream(), Self::shape(1), &arguments) }
    }

    /// Of forces in full, which the sums of elements are, squares of norms: of elements, of all, of
    /// what those of accelerations differ by; parts of each of the rank's groups.
    ///
    /// # Safety
    /// As [`begin`](Self::begin).
    pub(super) unsafe fn drift(&self, cuda: &Cuda) -> Result<Vec<[f64; 3]>, Error> {
        let to = Buffer::new(cuda.stream(), 24 * self.groups)?;
        let arguments = Tally { nodes: self.arguments, to: to.pointer() };
        // SAFETY: `to` has three numbers for each block; the rest is the caller's promise.
        unsafe {
            self.press(cuda, true)?;
            self.drift.launch(cuda.stream(), Self::shape(self.groups), &arguments)?;
        }
        cuda.read(&to, self.groups)
    }

    unsafe fn move_nodes(&self, cuda: &Cuda, assembly: Assembly, keeps: bool) -> Result<(), Error> {
        let (assembly, keeps) = (assembly as i32, i32::from(keeps));
        let arguments = Move { nodes: self.arguments, assembly, keeps };
        // SAFETY: the caller's promise.
        unsafe { self.move_nodes.launch(cuda.stream(), Self::shape(self.blocks), &arguments) }
    }

    /// Work of loads and of reactions, see [`Tallies`](crate::solid::Tallies).
    pub(super) fn works(&self, cuda: &Cuda) -> Result<Vec<[f64; 2]>, Error> {
        cuda.read(&self.works, self.groups)
    }

    /// Kinetic energy, and what forces do in the half step before the time on what moves as given:
    /// parts of each of the rank's groups.
    pub(super) fn energies(&self, cuda: &Cuda) -> Result<Vec<[f64; 2]>, Error> {
        let to = Buffer::new(cuda.stream(), 16 * self.groups)?;
        let arguments = Tally { nodes: self.arguments, to: to.pointer() };
        // SAFETY: the run's memory is its own; `to` has two numbers for each block.
        unsafe { self.energies.launch(cuda.stream(), Self::shape(self.groups), &arguments)? };
        cuda.read(&to, self.groups)
    }

    /// Displacements of the rank's own nodes, and velocities at the time itself; of a single rank
    /// in the order of the problem. Two buffers are written when the stream has come so far.
    ///
    /// # Safety
    /// As [`begin`](Self::begin).
    pub(super) unsafe fn motion(&self, cuda: &Cuda) -> Result<[Buffer; 2], Error> {
        let room = || Buffer::new(cuda.stream(), 24 * self.owned);
        let to = [room()?, room()?];
        let [displacements, velocities] = to.each_ref().map(Buffer::pointer);
        let arguments = Motion { nodes: self.arguments, displacements, velocities };
        // SAFETY: both buffers have three numbers for each node; the rest is the caller's promise.
        unsafe {
            self.evaluate(cuda)?;
            self.motion.launch(cuda.stream(), Self::shape(self.groups), &arguments)?;
        }
        Ok(to)
    }

    /// Forces of pressures on those of the rank's own nodes that they reach.
    pub(super) fn pressures(&self, cuda: &Cuda) -> Result<Vec<[f64; 3]>, Error> {
        cuda.read(&self.forces, self.pressed[1])
    }

    /// Some numbers of the rank's own nodes.
    pub(super) fn own(&self, cuda: &Cuda, numbers: &Numbers) -> Result<Vec<[f64; 3]>, Error> {
        let (numbers, count) = (numbers.read(cuda)?, self.arguments.count as usize);
        let at = |node: usize| core::array::from_fn(|k| numbers[k * count + node]);
        Ok((0..self.owned).map(at).collect())
    }
}

/// Of each node the place of its first sum, or of none, and how many there are beyond the first of
/// the nodes before; then these by themselves.
fn turns(share: &Share) -> (Vec<[u32; 2]>, Vec<u32>) {
    let (mut turns, mut others) = (Vec::with_capacity(share.first.len()), Vec::new());
    for ends in share.first.windows(2) {
        let own = &share.slots[ends[0] as usize..ends[1] as usize];
        turns.push([own.first().copied().unwrap_or(u32::MAX), others.len() as u32]);
        others.extend(own.iter().skip(1));
    }
    turns.push([u32::MAX, others.len() as u32]);
    (turns, others)
}
