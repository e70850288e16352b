//! Second-order cones, rows of the diagonal block, with a block of threads for each.

use nonius_cuda::Cuda;
use nonius_gpu::{Error, Pointer, Shape};

use super::arguments::{ConePart, ConeRows};
use super::launch::{THREADS, shape};
use super::lists::Lists;
use crate::cone;

/// Lists of cones before they are copied to a device.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) rows: Vec<ConeRows>,
    /// What constraints have in cones, by constraints.
    pub(super) parts: Vec<ConePart>,
    pub(super) constraints: Vec<u32>,
    /// The first part of each constraint.
    pub(super) starts: Vec<u32>,
    /// The parts by cones.
    pub(super) of_cones: Vec<u32>,
}

impl Tables {
    /// Those of cones whose rows and entries are counted in 32 bits.
    pub(super) fn new(cones: &cone::SecondOrder) -> Self {
        let mut places = Vec::with_capacity(cones.cones.len());
        let (mut rows, mut of_cones) = (Vec::new(), Vec::new());
        for cone in &cones.cones {
            let [first, order] = [cone.rows.start, cone.rows.len()].map(|x| x as u32);
            rows.push(ConeRows { first, order });
            places.push(of_cones.len() as u32);
            of_cones.extend_from_slice(&cone.parts);
        }
        places.push(of_cones.len() as u32);
        let part = |part: &cone::Part| {
            let cone = part.cone as usize;
            let [first, end] = [part.entries.start, part.entries.end].map(|x| x as u32);
            ConePart { first, end, at: places[cone] + part.at, last: places[cone + 1] }
        };
        Self {
            rows,
            parts: cones.parts.iter().map(part).collect(),
            constraints: cones.parts.iter().map(|part| part.constraint).collect(),
            starts: cones.starts.iter().map(|&start| start as u32).collect(),
            of_cones,
        }
    }
}

/// The cones of a program, in a device's memory.
#[derive(Debug)]
pub(super) struct Cones {
    pub(super) rows: Pointer<ConeRows>,
    /// How many there are.
    pub(super) count: usize,
    pub(super) parts: Pointer<ConePart>,
    pub(super) constraints: Pointer<u32>,
    pub(super) part_count: usize,
    pub(super) starts: Pointer<u32>,
    pub(super) of_cones: Pointer<u32>,
    _lists: Lists,
}

impl Cones {
    pub(super) fn new(gpu: &Cuda, cones: &cone::SecondOrder) -> Result<Self, Error> {
        let tables = Tables::new(cones);
        let mut lists = Lists::default();
        Ok(Self {
            rows: lists.keep(gpu.numbers(&tables.rows)?),
            count: tables.rows.len(),
            parts: lists.keep(gpu.numbers(&tables.parts)?),
            constraints: lists.keep(gpu.numbers(&tables.constraints)?),
            part_count: tables.parts.len(),
            starts: lists.keep(gpu.numbers(&tables.starts)?),
            of_cones: lists.keep(gpu.numbers(&tables.of_cones)?),
            _lists: lists,
        })
    }
}

/// How many threads sum the products of parts: a warp for each of `count` parts and each factor.
pub(super) fn shape_of_products(count: usize) -> Shape {
    shape(2 * count * 32, 1)
}

/// A block of threads for each of `constraints` columns.
pub(super) fn shape_of_schur(constraints: usize) -> Shape {
    shape(constraints * THREADS, 1)
}
