//! Nodes, loads and time on a device.

use std::collections::BTreeMap;

use nonius_cuda::Cuda;
use nonius_gpu::{Buffer, Const, Error, Kernel, Plain, Pointer, Shape};

use super::arguments::{
    self as kernel, DRIFT, ENERGIES, MOTION, MOVE_NODES, Motion, Move, PLACE_NODES, PRESS, Press,
    TICK, Tally, Tick,
};
use super::clock::Clock;
use super::numbers::{Format, Numbers, int};
use super::sources::node_source;
use crate::model::Wall;
use crate::solid::{
    FaceNodes, Goal, Layout, Limits, Masses, NODES, Precision, Pressed, Problem, State,
};

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

/// Nodes of a run.
pub(super) struct Nodes {
    press: Kernel<Press>,
    tick: Kernel<Tick>,
    move_nodes: Kernel<Move>,
    energies: Kernel<Tally>,
    motion: Kernel<Motion>,
    drift: Kernel<Tally>,
    place_nodes: Option<Kernel<kernel::Nodes>>,
    count: usize,
    coordinates: Buffer,
    /// What elements see of nodes that are pairs: `Row` in `fem/exchange.cuh`.
    rows: Option<Buffer>,
    pub(super) u: Numbers,
    pub(super) v: Numbers,
    pub(super) a: Numbers,
    pub(super) clock: Buffer,
    pub(super) sums: Buffer,
    works: Buffer,
    forces: Buffer,
    /// How many nodes pressures reach.
    pressed: usize,
    arguments: kernel::Nodes,
    _tables: Vec<Buffer>,
    _numbers: [Option<Numbers>; 2],
}

/// Memory that kernels alone look at once it is filled in.
struct Tables<'a> {
    cuda: &'a Cuda,
    kept: Vec<Buffer>,
}

impl Tables<'_> {
    fn keep<T>(&mut self, buffer: Buffer) -> Pointer<T> {
        let pointer = buffer.pointer();
        self.kept.push(buffer);
        pointer
    }

    fn numbers<P: Plain>(&mut self, numbers: &[P]) -> Result<Pointer<Const<P>>, Error> {
        let buffer = self.cuda.numbers(numbers)?;
        Ok(self.keep(buffer))
    }

    /// Room for `bytes` bytes.
    fn room<T>(&mut self, bytes: usize) -> Result<Pointer<T>, Error> {
        let buffer = Buffer::new(self.cuda.stream(), bytes)?;
        Ok(self.keep(buffer))
    }
}

/// What a node has that few have.
#[derive(Clone, Default)]
struct Role {
    given: [u32; 3],
    walls: u32,
    loads: Vec<[u32; 2]>,
    pressed: u32,
}

impl Nodes {
    pub(super) fn new(
        cuda: &Cuda,
        problem: &Problem,
        precision: Precision,
        state: &State,
        (layout, masses): (&Layout, &Masses),
    ) -> Result<Self, Error> {
        let module = cuda.device().module(&node_source(precision))?;
        let format = Format::of_nodes(precision);
        let order = &layout.order;
        let count = order.len();
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
        let slots: usize = layout.blocks.iter().map(|patches| patches.nodes.len()).sum();
        let sums = Buffer::new(cuda.stream(), slots * Format::of_elements(precision).force())?;
        let clock = cuda.numbers(&[Clock::new(problem, state)])?;
        let pressed = Pressed::new(problem);
        let blocks = count.div_ceil(THREADS);
        let works = cuda.numbers(&state.tallies.nodes)?;

        let mut tables = Tables { cuda, kept: Vec::new() };
        let (turns, others) = turns(layout);
        let courses = courses(problem, &mut tables)?;
        let turns = cuda.numbers(&turns)?;
        let (roles, common_walls) = roles(problem, layout, &pressed);
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
        let mut motions = Vec::with_capacity(problem.motions.len());
        for motion in &problem.motions {
            let course = int(motion.course as usize)?;
            motions.push(kernel::Given { course, is_velocity: i32::from(motion.is_velocity) });
        }
        let wall = |wall: &Wall| kernel::Wall { point: wall.point, normal: wall.normal };
        let walls: Vec<_> = problem.walls.iter().map(wall).collect();
        let forces = cuda.numbers(&state.pressures)?;
        let meetings = Corners::new(problem, layout, &pressed)?;
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
            names: tables.numbers(order)?,
            of_role: tables.numbers(&of_role)?,
            motions: tables.numbers(&motions)?,
            loads: tables.numbers(&loads)?,
            walls: tables.numbers(&walls)?,
            gravity: gravity(problem, layout, &mut tables)?,
            pressed: forces.pointer(),
            pressed_changes: tables.room(24 * pressed.nodes.len())?,
            first_corner: tables.numbers(&meetings.first)?,
            corners: tables.numbers(&meetings.corners)?,
            faces: tables.numbers(&meetings.faces)?,
            works: works.pointer(),
            sizes: tables.room(8 * blocks)?,
            count: count as i64,
            gravities: int(problem.gravity.len())?,
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
            place_nodes: are_pairs.then(|| module.kernel(PLACE_NODES)).transpose()?,
            count,
            coordinates,
            rows,
            u,
            v,
            a,
            clock,
            sums,
            works,
            forces,
            pressed: pressed.nodes.len(),
            arguments,
            _tables: tables.kept,
            _numbers: [origins, inverses],
        })
    }

    /// What elements see of nodes: coordinates, or rows.
    pub(super) fn seen(&self) -> Pointer<Const<kernel::Place>> {
        self.rows.as_ref().unwrap_or(&self.coordinates).pointer()
    }

    fn shape(count: usize) -> Shape {
        let grid = [count.div_ceil(THREADS) as u32, 1, 1];
        Shape { grid, block: [THREADS as u32, 1, 1], shared: 0 }
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
        unsafe { kernel.launch(cuda.stream(), Self::shape(self.count), &self.arguments) }
    }

    unsafe fn press(&self, cuda: &Cuda, is_at_rest: bool) -> Result<(), Error> {
        let arguments = Press { nodes: self.arguments, is_at_rest: i32::from(is_at_rest) };
        // SAFETY: the caller's promise.
        unsafe { self.press.launch(cuda.stream(), Self::shape(self.pressed), &arguments) }
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

    /// Of forces in full, which the sums of elements are, the norms: of elements, of all, of what
    /// those of accelerations differ by.
    ///
    /// # Safety
    /// As [`begin`](Self::begin).
    pub(super) unsafe fn drift(&self, cuda: &Cuda) -> Result<[f64; 3], Error> {
        let blocks = self.count.div_ceil(THREADS);
        let to = Buffer::new(cuda.stream(), 24 * blocks)?;
        let arguments = Tally { nodes: self.arguments, to: to.pointer() };
        // SAFETY: `to` has three numbers for each block; the rest is the caller's promise.
        unsafe {
            self.press(cuda, true)?;
            self.drift.launch(cuda.stream(), Self::shape(self.count), &arguments)?;
        }
        let parts: Vec<[f64; 3]> = cuda.read(&to, blocks)?;
        let mut sums = [0.0; 3];
        for part in parts {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        Ok(sums.map(f64::sqrt))
    }

    unsafe fn move_nodes(&self, cuda: &Cuda, assembly: Assembly, keeps: bool) -> Result<(), Error> {
        let (assembly, keeps) = (assembly as i32, i32::from(keeps));
        let arguments = Move { nodes: self.arguments, assembly, keeps };
        // SAFETY: the caller's promise.
        unsafe { self.move_nodes.launch(cuda.stream(), Self::shape(self.count), &arguments) }
    }

    /// Work of loads and of reactions, see [`Tallies`](crate::solid::Tallies).
    pub(super) fn works(&self, cuda: &Cuda) -> Result<Vec<[f64; 2]>, Error> {
        cuda.read(&self.works, self.count.div_ceil(THREADS))
    }

    /// Kinetic energy, and what forces do in the half step before the time on what moves as given.
    pub(super) fn energies(&self, cuda: &Cuda) -> Result<[f64; 2], Error> {
        let blocks = self.count.div_ceil(THREADS);
        let to = Buffer::new(cuda.stream(), 16 * blocks)?;
        let arguments = Tally { nodes: self.arguments, to: to.pointer() };
        // SAFETY: the run's memory is its own; `to` has two numbers for each block.
        unsafe { self.energies.launch(cuda.stream(), Self::shape(self.count), &arguments)? };
        let parts: Vec<[f64; 2]> = cuda.read(&to, blocks)?;
        Ok(parts.into_iter().fold([0.0; 2], |[a, b], [x, y]| [a + x, b + y]))
    }

    /// Displacements, and velocities at the time itself, in the order of the problem: two buffers
    /// that are written when the stream has come so far.
    ///
    /// # Safety
    /// As [`begin`](Self::begin).
    pub(super) unsafe fn motion(&self, cuda: &Cuda) -> Result<[Buffer; 2], Error> {
        let room = || Buffer::new(cuda.stream(), 24 * self.count);
        let to = [room()?, room()?];
        let [displacements, velocities] = to.each_ref().map(Buffer::pointer);
        let arguments = Motion { nodes: self.arguments, displacements, velocities };
        // SAFETY: both buffers have three numbers for each node; the rest is the caller's promise.
        unsafe {
            self.evaluate(cuda)?;
            self.motion.launch(cuda.stream(), Self::shape(self.count), &arguments)?;
        }
        Ok(to)
    }

    /// Forces of pressures on the nodes that they reach.
    pub(super) fn pressures(&self, cuda: &Cuda) -> Result<Vec<[f64; 3]>, Error> {
        cuda.read(&self.forces, self.pressed)
    }
}

/// Of each node the place of its first sum, or of none, and how many there are beyond the first of
/// the nodes before; then these by themselves.
fn turns(layout: &Layout) -> (Vec<[u32; 2]>, Vec<u32>) {
    let (mut turns, mut others) = (Vec::with_capacity(layout.first.len()), Vec::new());
    for ends in layout.first.windows(2) {
        let own = &layout.slots[ends[0] as usize..ends[1] as usize];
        turns.push([own.first().copied().unwrap_or(u32::MAX), others.len() as u32]);
        others.extend(own.iter().skip(1));
    }
    turns.push([u32::MAX, others.len() as u32]);
    (turns, others)
}

/// The nodes that have roles, by their new numbers, and the walls that stop all.
fn roles(problem: &Problem, layout: &Layout, pressed: &Pressed) -> (BTreeMap<u32, Role>, u32) {
    let mut roles: BTreeMap<u32, Role> = BTreeMap::new();
    let mut of = |node: u32, change: &mut dyn FnMut(&mut Role)| {
        change(roles.entry(layout.place[node as usize]).or_default());
    };
    for (number, motion) in problem.motions.iter().enumerate() {
        let given = number as u32 + 1;
        of(motion.node, &mut |role| role.given[motion.axis as usize] = given);
    }
    for force in &problem.forces {
        let load = [u32::from(force.axis), force.course];
        of(force.node, &mut |role| role.loads.push(load));
    }
    for (number, &node) in pressed.nodes.iter().enumerate() {
        of(node, &mut |role| role.pressed = number as u32 + 1);
    }
    let mut common = 0;
    for (number, wall) in problem.walls.iter().enumerate() {
        match &wall.nodes {
            None => common |= 1 << number,
            Some(nodes) => {
                nodes.iter().for_each(|&node| of(node, &mut |role| role.walls |= 1 << number));
            }
        }
    }
    (roles, common)
}

/// Courses and their points, and room for their values.
fn courses(problem: &Problem, tables: &mut Tables<'_>) -> Result<kernel::Courses, Error> {
    let (mut courses, mut points) = (Vec::new(), Vec::new());
    for course in &problem.courses {
        courses.push(kernel::Course {
            factor: course.factor,
            is_smooth: i32::from(course.smooth),
            first: int(points.len() / 2)?,
            count: int(course.points.len())?,
            unused: 0,
        });
        points.extend(course.points.as_flattened());
    }
    let bytes = 8 * problem.courses.len();
    Ok(kernel::Courses {
        courses: tables.numbers(&courses)?,
        points: tables.numbers(&points)?,
        from: tables.room(bytes)?,
        to: tables.room(bytes)?,
        now: tables.room(bytes)?,
        next: tables.room(bytes)?,
        halfway: tables.room(bytes)?,
        count: int(problem.courses.len())?,
        unused: 0,
    })
}

/// Accelerations of all nodes, or of parts of their masses.
fn gravity(
    problem: &Problem,
    layout: &Layout,
    tables: &mut Tables<'_>,
) -> Result<Pointer<Const<kernel::Gravity>>, Error> {
    let mut all = Vec::new();
    for own in &problem.gravity {
        let parts = match &own.elements {
            None => Pointer::NULL,
            Some(elements) => {
                let mut parts = vec![0.0; layout.order.len()];
                for (node, mass) in Masses::of_elements(problem, elements) {
                    parts[layout.place[node as usize] as usize] = mass;
                }
                tables.numbers(&parts)?
            }
        };
        let (direction, course) = (own.direction, i64::from(own.course));
        all.push(kernel::Gravity { direction, parts, course });
    }
    tables.numbers(&all)
}

/// The corners of faces that meet in each pressed node.
#[derive(Default)]
struct Corners {
    first: Vec<u32>,
    corners: Vec<kernel::Corner>,
    faces: Vec<kernel::Face>,
}

impl Corners {
    fn new(problem: &Problem, layout: &Layout, pressed: &Pressed) -> Result<Self, Error> {
        let mut of_nodes = vec![Vec::new(); pressed.nodes.len()];
        let mut faces = Vec::new();
        let all = problem
            .pressures
            .iter()
            .flat_map(|pressure| pressure.faces.iter().map(move |face| (face, pressure.course)));
        for (face, course) in all {
            for (node, name) in face.nodes.iter().enumerate() {
                let place = pressed.nodes.partition_point(|other| other < name);
                let (face, node) = (faces.len() as u32, node as u32);
                of_nodes[place].push(kernel::Corner { face, node, course });
            }
            faces.push(face_of(face, layout)?);
        }
        let mut corners = Self { first: vec![0], faces, ..Self::default() };
        for own in of_nodes {
            corners.corners.extend(own);
            corners.first.push(corners.corners.len() as u32);
        }
        Ok(corners)
    }
}

/// A face as kernels take it.
fn face_of(face: &FaceNodes, layout: &Layout) -> Result<kernel::Face, Error> {
    let node = |i: usize| face.nodes.get(i).map_or(0, |&node| layout.place[node as usize]);
    Ok(kernel::Face {
        nodes: core::array::from_fn(node),
        count: int(face.nodes.len())?,
        is_axisymmetric: i32::from(face.axisymmetric),
        thickness: face.depth,
    })
}
