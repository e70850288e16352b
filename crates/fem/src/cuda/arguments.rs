//! What the kernels take.
//!
//! Each module defines what its numbers are in. Such types have the names here that kernels have
//! for them.

use nonius_gpu::{
    Const, Entry, KernelType, Plain, Pointer, kernel_arguments, kernel_parameters, kernel_types,
};

use super::clock::{Clock, Verdict};

kernel_types! {
    /// What elements sum up in, or what nodes have: `SUM` or `NODE`.
    pub(super) Number = "A";
    /// A sum of forces.
    pub(super) Force = "Force<SUM>";
    /// What elements remember.
    pub(super) Bytes = "char";
    /// Where elements see a node.
    pub(super) Place = "Own::Place";
    /// Displacements and velocities as elements see them.
    pub(super) Node = "Own::Node";
    /// Work of a patch.
    pub(super) Work = "Own::Work";
    /// Two numbers of a node.
    pub(super) Two = "uint2";
    /// A part of a row.
    pub(super) Four = "float4";
    /// Three numbers of a node.
    pub(super) Three = "V3<double>";
}

/// A constant of a module: `CONSTANT`, an `f64` or a pair.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Constant(pub(super) u64);

// SAFETY: `repr(C)`, eight bytes of any value.
unsafe impl Plain for Constant {}

impl KernelType for Constant {
    fn declare(name: &str) -> String {
        format!("C {name}")
    }
}

kernel_arguments! {
    /// Constants of a material.
    pub(super) struct Material {
        pub(super) density: Constant,
        pub(super) lambda: Constant,
        pub(super) mu: Constant,
        /// λ + 2µ
        pub(super) elastic: Constant,
        /// 3µ
        pub(super) triple: Constant,
        /// λ + 2/3·µ
        pub(super) bulk: Constant,
        pub(super) expansion: Constant,
        pub(super) heating: Constant,
        /// Of Johnson and Cook.
        pub(super) a: Constant,
        pub(super) b: Constant,
        pub(super) n: Constant,
        pub(super) c: Constant,
        pub(super) rate: Constant,
        pub(super) m: Constant,
        /// One over the difference of both temperatures.
        pub(super) range: Constant,
        pub(super) transition: Constant,
        /// Of a table: plastic strains, stresses and slopes.
        pub(super) table: Pointer<Const<Constant>>,
        pub(super) points: i32,
        pub(super) heats: i32,
        /// How many numbers points remember, and the places of some, or -1.
        pub(super) numbers: i32,
        pub(super) plastic_strain: i32,
        pub(super) temperature: i32,
        pub(super) strained: i32,
        pub(super) stretch: i32,
        pub(super) unused: i32,
    }

    /// Elements of a block.
    pub(super) struct Elements {
        /// Of each patch where the sums of its nodes begin.
        pub(super) first: Pointer<Const<u32>>,
        /// Of each patch its nodes, in `stride` numbers.
        pub(super) own: Pointer<Const<u32>>,
        /// Of each element its nodes' places.
        pub(super) local: Pointer<Const<u16>>,
        /// Where the corners of each node of a patch begin, in `stride` numbers, and these corners.
        pub(super) turns: Pointer<Const<u16>>,
        pub(super) corners: Pointer<Const<u16>>,
        /// The elements' places in their block.
        pub(super) names: Pointer<Const<u32>>,
        pub(super) masses: Pointer<Const<Number>>,
        /// What elements remember, patch by patch and number by number; of `Sums` first the
        /// numbers of a patch, then what they have rounded off.
        pub(super) memories: Pointer<Bytes>,
        pub(super) sums: Pointer<Force>,
        pub(super) works: Pointer<Work>,
        /// Where nodes are at the beginning of all, displacements and velocities; or rows alone.
        pub(super) x: Pointer<Const<Place>>,
        pub(super) u: Pointer<Const<Node>>,
        pub(super) v: Pointer<Const<Node>>,
        pub(super) clock: Pointer<Clock>,
        /// What lengths are multiplied by, and energies.
        pub(super) unit: Constant,
        pub(super) energy: Constant,
        /// How many there are.
        pub(super) count: i32,
        /// The block's number.
        pub(super) number: i32,
        /// The first patch.
        pub(super) first_patch: i32,
        /// Numbers of the room for nodes and forces.
        pub(super) room: i32,
        /// Room of a patch in arrays of its nodes.
        pub(super) stride: i32,
        /// Nodes of the problem.
        pub(super) nodes: i32,
        pub(super) material: Material,
    }
}

pub(super) const ADVANCE_IN_FULL: Entry<Elements> = Entry::new(c"advance_in_full");
pub(super) const ADVANCE_BY_INCREMENTS: Entry<Elements> = Entry::new(c"advance_by_increments");
pub(super) const FORCES_IN_FULL: Entry<Elements> = Entry::new(c"forces_in_full");

kernel_arguments! {
    /// A function of time.
    pub(super) struct Course {
        pub(super) factor: f64,
        pub(super) is_smooth: i32,
        /// Its points: the first among all, and how many.
        pub(super) first: i32,
        pub(super) count: i32,
        pub(super) unused: i32,
    }

    /// Values of courses.
    pub(super) struct Courses {
        pub(super) courses: Pointer<Const<Course>>,
        pub(super) points: Pointer<Const<f64>>,
        /// When the last step began, and when it ended.
        pub(super) from: Pointer<f64>,
        pub(super) to: Pointer<f64>,
        pub(super) now: Pointer<f64>,
        /// At the end of the step under way, and half way through it.
        pub(super) next: Pointer<f64>,
        pub(super) halfway: Pointer<f64>,
        pub(super) count: i32,
        pub(super) unused: i32,
    }

    /// What few nodes have.
    pub(super) struct Role {
        /// For each axis one more than the number of a motion.
        pub(super) given: [u32; 3],
        /// Walls that stop it.
        pub(super) walls: u32,
        pub(super) first_load: u32,
        pub(super) loads: u32,
        /// One more than the place among pressed nodes.
        pub(super) pressed: u32,
        pub(super) unused: u32,
    }

    /// A motion that is given.
    pub(super) struct Given {
        pub(super) course: i32,
        pub(super) is_velocity: i32,
    }

    /// A force along an axis.
    pub(super) struct Load {
        pub(super) axis: i32,
        pub(super) course: i32,
    }

    /// A wall.
    pub(super) struct Wall {
        pub(super) point: [f64; 3],
        pub(super) normal: [f64; 3],
    }

    /// An acceleration of all nodes, or of the parts of masses that some elements have.
    pub(super) struct Gravity {
        pub(super) direction: [f64; 3],
        pub(super) parts: Pointer<Const<f64>>,
        pub(super) course: i64,
    }

    /// A face of an element.
    pub(super) struct Face {
        pub(super) nodes: [u32; 4],
        pub(super) count: i32,
        pub(super) is_axisymmetric: i32,
        pub(super) thickness: f64,
    }

    /// A node of a face, and the course of the pressure on it.
    pub(super) struct Corner {
        pub(super) face: u32,
        pub(super) node: u32,
        pub(super) course: u32,
    }

    /// Nodes, and what acts on them.
    pub(super) struct Nodes {
        pub(super) clock: Pointer<Clock>,
        pub(super) courses: Courses,
        /// Of each node the place of its first sum, or `NOWHERE`, and where those of its other
        /// sums begin, which follow in an array of their own.
        pub(super) turns: Pointer<Const<Two>>,
        pub(super) others: Pointer<Const<u32>>,
        pub(super) sums: Pointer<Const<Force>>,
        pub(super) x: Pointer<Const<f64>>,
        pub(super) masses: Pointer<Const<f64>>,
        pub(super) u: Pointer<Number>,
        pub(super) v: Pointer<Number>,
        pub(super) a: Pointer<Number>,
        /// Where nodes are pairs: what elements see of them.
        pub(super) rows: Pointer<Four>,
        /// There too: `x`, and one over masses.
        pub(super) origins: Pointer<Const<Number>>,
        pub(super) inverses: Pointer<Const<Number>>,
        /// Of each node one more than its role, or 0; none where no node has one.
        pub(super) roles: Pointer<Const<u32>>,
        /// Of each node the place of its motion among those that are read.
        pub(super) names: Pointer<Const<u32>>,
        /// Of each node its number in the layout.
        pub(super) numbers: Pointer<Const<u32>>,
        pub(super) of_role: Pointer<Const<Role>>,
        pub(super) motions: Pointer<Const<Given>>,
        pub(super) loads: Pointer<Const<Load>>,
        pub(super) walls: Pointer<Const<Wall>>,
        pub(super) gravity: Pointer<Const<Gravity>>,
        /// Of pressed nodes forces, and what the last step has changed of them.
        pub(super) pressed: Pointer<Three>,
        pub(super) pressed_changes: Pointer<Three>,
        /// Where the corners of each pressed node begin, and these.
        pub(super) first_corner: Pointer<Const<u32>>,
        pub(super) corners: Pointer<Const<Corner>>,
        pub(super) faces: Pointer<Const<Face>>,
        /// Of each block of threads work of loads, and of reactions with gravity on everything.
        pub(super) works: Pointer<f64>,
        /// Of each group of the rank's own nodes the size of accelerations.
        pub(super) sizes: Pointer<f64>,
        /// How many nodes the rank sees, how many are its own, and how many it moves.
        pub(super) count: i64,
        pub(super) owned: i64,
        pub(super) moved: i64,
        pub(super) gravities: i32,
        pub(super) pressed_count: i32,
        /// Walls that stop every node.
        pub(super) common_walls: u32,
        pub(super) unused: u32,
    }
}

kernel_parameters! {
    /// Forces of pressures.
    pub(super) struct Press {
        pub(super) nodes: Nodes,
        pub(super) is_at_rest: i32,
    }

    /// The end of a step and the beginning of the next, or of the first of some.
    pub(super) struct Tick {
        pub(super) nodes: Nodes,
        pub(super) begins: i32,
        pub(super) end: f64,
        pub(super) pause: f64,
        pub(super) factor: f64,
        pub(super) most: f64,
        pub(super) left: i64,
    }

    /// What nodes do then.
    pub(super) struct Move {
        pub(super) nodes: Nodes,
        /// [`Assembly`](super::nodes::Assembly).
        pub(super) assembly: i32,
        pub(super) keeps: i32,
    }

    /// Sizes of accelerations, of all groups of `count` nodes.
    pub(super) struct Rescale {
        pub(super) nodes: Nodes,
        pub(super) sizes: Pointer<Const<f64>>,
        pub(super) places: Pointer<Const<u32>>,
        pub(super) count: i64,
    }

    /// What goes to another rank.
    pub(super) struct Pack {
        pub(super) nodes: Nodes,
        pub(super) places: Pointer<Const<u32>>,
        pub(super) sums: i64,
        pub(super) shown: Pointer<Const<u32>>,
        pub(super) count: i64,
        pub(super) to: Pointer<Force>,
        pub(super) displacements: Pointer<Number>,
    }

    /// What comes from another rank.
    pub(super) struct Unpack {
        pub(super) nodes: Nodes,
        pub(super) from: Pointer<Const<Force>>,
        pub(super) sums: i64,
        pub(super) displacements: Pointer<Const<Number>>,
        pub(super) count: i64,
        pub(super) to: Pointer<Force>,
        pub(super) first: i64,
    }

    /// What another rank has found.
    pub(super) struct Join {
        pub(super) clock: Pointer<Clock>,
        pub(super) other: Pointer<Const<Verdict>>,
    }

    /// Some numbers of each block of threads.
    pub(super) struct Tally {
        pub(super) nodes: Nodes,
        pub(super) to: Pointer<f64>,
    }

    /// Displacements and velocities.
    pub(super) struct Motion {
        pub(super) nodes: Nodes,
        pub(super) displacements: Pointer<f64>,
        pub(super) velocities: Pointer<f64>,
    }
}

pub(super) const PRESS: Entry<Press> = Entry::new(c"press");
pub(super) const TICK: Entry<Tick> = Entry::new(c"tick");
pub(super) const MOVE_NODES: Entry<Move> = Entry::new(c"move_nodes");
pub(super) const DRIFT: Entry<Tally> = Entry::new(c"drift");
pub(super) const ENERGIES: Entry<Tally> = Entry::new(c"energies");
pub(super) const MOTION: Entry<Motion> = Entry::new(c"motion");
pub(super) const RESCALE: Entry<Rescale> = Entry::new(c"rescale");
pub(super) const PACK: Entry<Pack> = Entry::new(c"pack");
pub(super) const UNPACK: Entry<Unpack> = Entry::new(c"unpack");
pub(super) const JOIN: Entry<Join> = Entry::new(c"join");
pub(super) const PLACE_NODES: Entry<Nodes> = Entry::new(c"place_nodes");
