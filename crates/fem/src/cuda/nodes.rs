//! Nodes, loads and time on a device.

use std::collections::BTreeMap;

use nonius_cuda::{Cuda, Words};
use nonius_gpu::{Buffer, Error, Kernel, Shape, argument, argument_of_words};

use super::clock::Clock;
use super::numbers::{Format, Numbers};
use super::sources::node_source;
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
    press: Kernel,
    tick: Kernel,
    move_nodes: Kernel,
    energies: Kernel,
    motion: Kernel,
    drift: Kernel,
    place_nodes: Option<Kernel>,
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
    /// `Nodes` in `fem/nodes.cuh`.
    words: Words,
    _tables: Vec<Buffer>,
    _numbers: [Option<Numbers>; 2],
}

/// What a node has that few have: `Role` in `fem/nodes.cuh`.
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
        let clock = cuda.numbers(Clock::new(problem, state).words())?;
        let pressed = Pressed::new(problem);
        let blocks = count.div_ceil(THREADS);
        let works = cuda.numbers(&state.tallies.nodes)?;

        let mut tables = Vec::new();
        let mut keep = |buffer: Buffer| {
            let address = buffer.address();
            tables.push(buffer);
            address
        };
        let (turns, others) = turns(layout);
        let (courses, points) = course_words(problem);
        let mut words = Words::default().address(clock.address());
        words = words.address(keep(cuda.numbers(&courses)?)).address(keep(cuda.numbers(&points)?));
        for _ in 0..5 {
            words = words.address(keep(room(8 * problem.courses.len())?));
        }
        words = words
            .pair(problem.courses.len(), 0)
            .address(keep(cuda.numbers(&turns)?))
            .address(keep(cuda.numbers(&others)?))
            .address(sums.address())
            .address(coordinates.address())
            .address(keep(cuda.numbers(&of_nodes)?))
            .address(u.address())
            .address(v.address())
            .address(a.address())
            .address(rows.as_ref().map_or(0, Buffer::address))
            .address(origins.as_ref().map_or(0, Numbers::address))
            .address(inverses.as_ref().map_or(0, Numbers::address));
        let own_numbers = [origins, inverses];

        let (roles, common_walls) = roles(problem, layout, &pressed);
        let (mut numbers_of_roles, mut role_words) = (vec![0u32; count], Vec::new());
        let mut loads: Vec<[u32; 2]> = Vec::new();
        for (number, (&node, role)) in roles.iter().enumerate() {
            numbers_of_roles[node as usize] = number as u32 + 1;
            let [x, y, z] = role.given;
            let (first, own) = (loads.len() as u32, role.loads.len() as u32);
            role_words.push([x, y, z, role.walls, first, own, role.pressed, 0]);
            loads.extend(&role.loads);
        }
        let of_nodes = if roles.is_empty() { 0 } else { keep(cuda.numbers(&numbers_of_roles)?) };
        let motions: Vec<[u32; 2]> = problem
            .motions
            .iter()
            .map(|motion| [motion.course, u32::from(motion.is_velocity)])
            .collect();
        let walls: Vec<[f64; 6]> = problem
            .walls
            .iter()
            .map(|wall| {
                let ([a, b, c], [d, e, f]) = (wall.point, wall.normal);
                [a, b, c, d, e, f]
            })
            .collect();
        words = words
            .address(of_nodes)
            .address(keep(cuda.numbers(order)?))
            .address(keep(cuda.numbers(&role_words)?))
            .address(keep(cuda.numbers(&motions)?))
            .address(keep(cuda.numbers(&loads)?))
            .address(keep(cuda.numbers(&walls)?));

        let mut gravity = Words::default();
        for own in &problem.gravity {
            let parts = match &own.elements {
                None => 0,
                Some(elements) => {
                    let mut parts = vec![0.0; count];
                    for (node, mass) in Masses::of_elements(problem, elements) {
                        parts[layout.place[node as usize] as usize] = mass;
                    }
                    keep(cuda.numbers(&parts)?)
                }
            };
            gravity = own.direction.into_iter().fold(gravity, Words::number);
            gravity = gravity.address(parts).long(own.course as usize);
        }
        words = words.address(keep(cuda.numbers(gravity.as_slice())?));

        let forces = cuda.numbers(&state.pressures)?;
        let meetings = Corners::new(problem, layout, &pressed);
        words = words
            .address(forces.address())
            .address(keep(room(24 * pressed.nodes.len())?))
            .address(keep(cuda.numbers(&meetings.first)?))
            .address(keep(cuda.numbers(&meetings.corners)?))
            .address(keep(cuda.numbers(&meetings.faces)?))
            .address(works.address())
            .address(keep(room(8 * blocks)?))
            .long(count)
            .pair(problem.gravity.len(), pressed.nodes.len())
            .pair(common_walls as usize, 0);
        Ok(Self {
            press: module.kernel(c"press")?,
            tick: module.kernel(c"tick")?,
            move_nodes: module.kernel(c"move_nodes")?,
            energies: module.kernel(c"energies")?,
            motion: module.kernel(c"motion")?,
            drift: module.kernel(c"drift")?,
            place_nodes: are_pairs.then(|| module.kernel(c"place_nodes")).transpose()?,
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
            words,
            _tables: tables,
            _numbers: own_numbers,
        })
    }

    /// What elements see of nodes: coordinates, or rows.
    pub(super) fn seen(&self) -> u64 {
        self.rows.as_ref().map_or(self.coordinates.address(), Buffer::address)
    }

    fn shape(count: usize) -> Shape {
        let grid = [count.div_ceil(THREADS) as u32, 1, 1];
        Shape { grid, block: [THREADS as u32, 1, 1], shared: 0 }
    }

    /// Begins the first of so many steps to a goal.
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

    /// Ends the step under way, and begins the next. Accelerations are in memory afterwards if it `keeps` them, or no step follows.
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
        let mut arguments = [argument_of_words(self.words.as_slice())];
        // SAFETY: the words are `Nodes`; the rest is the caller's promise.
        unsafe { kernel.launch(cuda.stream(), Self::shape(self.count), &mut arguments) }
    }

    unsafe fn press(&self, cuda: &Cuda, is_at_rest: bool) -> Result<(), Error> {
        let is_at_rest = i32::from(is_at_rest);
        let mut arguments = [argument_of_words(self.words.as_slice()), argument(&is_at_rest)];
        // SAFETY: the words are `Nodes`; the rest is the caller's promise.
        unsafe { self.press.launch(cuda.stream(), Self::shape(self.pressed), &mut arguments) }
    }

    unsafe fn tick(
        &self,
        cuda: &Cuda,
        begins: bool,
        [end, pause, factor, most]: [f64; 4],
        steps: u64,
    ) -> Result<(), Error> {
        let begins = i32::from(begins);
        let left = steps.min(i64::MAX as u64) as i64;
        let mut arguments = [
            argument_of_words(self.words.as_slice()),
            argument(&begins),
            argument(&end),
            argument(&pause),
            argument(&factor),
            argument(&most),
            argument(&left),
        ];
        // SAFETY: as above.
        unsafe { self.tick.launch(cuda.stream(), Self::shape(1), &mut arguments) }
    }

    /// Of forces in full, which the sums of elements are, the norms: of elements, of all, of what those of accelerations differ by.
    ///
    /// # Safety
    /// As [`begin`](Self::begin).
    pub(super) unsafe fn drift(&self, cuda: &Cuda) -> Result<[f64; 3], Error> {
        let blocks = self.count.div_ceil(THREADS);
        let to = Buffer::new(cuda.stream(), 24 * blocks)?;
        let address = to.address();
        let mut arguments = [argument_of_words(self.words.as_slice()), argument(&address)];
        // SAFETY: the words are `Nodes`, and `to` has three numbers for each block; the rest is the caller's promise.
        unsafe {
            self.press(cuda, true)?;
            self.drift.launch(cuda.stream(), Self::shape(self.count), &mut arguments)?;
        }
        let parts: Vec<[f64; 3]> = cuda.read(&to, blocks)?;
        let mut sums = [0.0; 3];
        for part in parts {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        Ok(sums.map(f64::sqrt))
    }

    unsafe fn move_nodes(&self, cuda: &Cuda, assembly: Assembly, keeps: bool) -> Result<(), Error> {
        let nodes = argument_of_words(self.words.as_slice());
        let (assembly, keeps) = (assembly as i32, i32::from(keeps));
        let mut arguments = [nodes, argument(&assembly), argument(&keeps)];
        // SAFETY: the words are `Nodes`; the rest is the caller's promise.
        unsafe { self.move_nodes.launch(cuda.stream(), Self::shape(self.count), &mut arguments) }
    }

    /// Work of loads and of reactions, see [`Tallies`](crate::solid::Tallies).
    pub(super) fn works(&self, cuda: &Cuda) -> Result<Vec<[f64; 2]>, Error> {
        cuda.read(&self.works, self.count.div_ceil(THREADS))
    }

    /// Kinetic energy, and what forces do in the half step before the time on what moves as given.
    pub(super) fn energies(&self, cuda: &Cuda) -> Result<[f64; 2], Error> {
        let blocks = self.count.div_ceil(THREADS);
        let to = Buffer::new(cuda.stream(), 16 * blocks)?;
        let address = to.address();
        let mut arguments = [argument_of_words(self.words.as_slice()), argument(&address)];
        // SAFETY: the words are `Nodes`; `to` has two numbers for each block.
        unsafe { self.energies.launch(cuda.stream(), Self::shape(self.count), &mut arguments)? };
        let parts: Vec<[f64; 2]> = cuda.read(&to, blocks)?;
        Ok(parts.into_iter().fold([0.0; 2], |[a, b], [x, y]| [a + x, b + y]))
    }

    /// Displacements, and velocities at the time itself, in the order of the problem: two buffers that are written when the stream has come so far.
    ///
    /// # Safety
    /// As [`begin`](Self::begin).
    pub(super) unsafe fn motion(&self, cuda: &Cuda) -> Result<[Buffer; 2], Error> {
        let room = || Buffer::new(cuda.stream(), 24 * self.count);
        let to = [room()?, room()?];
        let addresses = to.each_ref().map(Buffer::address);
        let mut arguments = [
            argument_of_words(self.words.as_slice()),
            argument(&addresses[0]),
            argument(&addresses[1]),
        ];
        // SAFETY: the words are `Nodes`; both buffers have three numbers for each node; the rest is the caller's promise.
        unsafe {
            self.evaluate(cuda)?;
            self.motion.launch(cuda.stream(), Self::shape(self.count), &mut arguments)?;
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

/// `Course`s in `fem/clock.cuh`, and their points.
fn course_words(problem: &Problem) -> (Vec<u64>, Vec<[f64; 2]>) {
    let (mut words, mut points) = (Words::default(), Vec::new());
    for course in &problem.courses {
        words = words
            .number(course.factor)
            .pair(usize::from(course.smooth), points.len())
            .pair(course.points.len(), 0);
        points.extend(&course.points);
    }
    (words.as_slice().to_vec(), points)
}

/// The corners of faces that meet in each pressed node.
#[derive(Default)]
struct Corners {
    first: Vec<u32>,
    /// The face, the node of it, the course.
    corners: Vec<[u32; 3]>,
    faces: Vec<[u64; 4]>,
}

impl Corners {
    fn new(problem: &Problem, layout: &Layout, pressed: &Pressed) -> Self {
        let mut of_nodes = vec![Vec::new(); pressed.nodes.len()];
        let mut faces = Vec::new();
        let all = problem
            .pressures
            .iter()
            .flat_map(|pressure| pressure.faces.iter().map(move |face| (face, pressure.course)));
        for (face, course) in all {
            for (corner, node) in face.nodes.iter().enumerate() {
                let place = pressed.nodes.partition_point(|other| other < node);
                of_nodes[place].push([faces.len() as u32, corner as u32, course]);
            }
            faces.push(face_words(face, layout));
        }
        let mut corners = Self { first: vec![0], faces, ..Self::default() };
        for own in of_nodes {
            corners.corners.extend(own);
            corners.first.push(corners.corners.len() as u32);
        }
        corners
    }
}

/// `Face` in `fem/nodes.cuh`.
fn face_words(face: &FaceNodes, layout: &Layout) -> [u64; 4] {
    let node = |i: usize| face.nodes.get(i).map_or(0, |&node| layout.place[node as usize]) as usize;
    let words = Words::default()
        .pair(node(0), node(1))
        .pair(node(2), node(3))
        .pair(face.nodes.len(), usize::from(face.axisymmetric))
        .number(face.depth);
    let words = words.as_slice();
    [words[0], words[1], words[2], words[3]]
}
