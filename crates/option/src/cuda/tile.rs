//! Members of a batch side by side, and how they lie in a device's memory
//! ([`arguments::Tile`] and [`arguments::Stage`]).

use nonius_gpu::Error;

use super::arguments::{self, Kind, counted};
use super::laid::Laid;
use super::way::{Block, Way};
use crate::evolve::{Constraint, Evolution, Row, Stage};

/// Vectors that a chain has for its work, beside `u`.
const WORK: usize = 4;
/// Vectors of a generator, and of a map: constants and four weights.
const GENERATOR: usize = 3;
const MAP: usize = 5;
/// Numbers that belong to a stage: `dt` and `theta`.
const NUMBERS: usize = 2;

/// Members with the same stages: as many as the way has side by side.
pub(super) struct Tile<'a, T> {
    pub(super) way: Way,
    pub(super) members: Vec<&'a Evolution<T>>,
    /// The members' numbers in the batch.
    pub(super) places: &'a [usize],
    /// The number of their group: tiles of a group have the same stages.
    pub(super) group: usize,
    /// Where its part of each memory begins, and how large that is.
    pub(super) start: Room,
    pub(super) room: Room,
}

/// Sizes of memory on the device, or places in it.
#[derive(Clone, Copy, Default)]
pub(super) struct Room {
    /// Of numbers: the members' vectors, `u`, those of work, and what belongs to stages.
    pub(super) input: usize,
    pub(super) u: usize,
    pub(super) work: usize,
    pub(super) numbers: usize,
    /// Of words: the first nodes of maps' rows, and contacts.
    pub(super) firsts: usize,
    pub(super) contacts: usize,
}

impl Room {
    pub(super) fn add(&mut self, more: Self) {
        self.input += more.input;
        self.u += more.u;
        self.work += more.work;
        self.numbers += more.numbers;
        self.firsts += more.firsts;
        self.contacts += more.contacts;
    }
}

/// A vector of a member.
#[derive(Clone, Copy)]
pub(super) enum Source<'a, T> {
    Numbers(&'a [T]),
    Constants(&'a [Row<T>]),
    Weights(&'a [Row<T>], usize),
}

impl<T: Laid> Source<'_, T> {
    /// Writes a plane of the numbers from `first` on to every `width`th place.
    pub(super) fn write(self, plane: usize, first: usize, to: &mut [f64], width: usize) {
        fn put<'a, T: Laid>(
            numbers: impl Iterator<Item = &'a T>,
            plane: usize,
            to: &mut [f64],
            width: usize,
        ) {
            let places = to.iter_mut().step_by(width);
            places.zip(numbers).for_each(|(to, number)| *to = number.plane(plane));
        }
        match self {
            Source::Numbers(x) => put(x[first..].iter(), plane, to, width),
            Source::Constants(x) => {
                put(x[first..].iter().map(|x| &x.constant), plane, to, width);
            }
            Source::Weights(x, j) => {
                put(x[first..].iter().map(|x| &x.weights[j]), plane, to, width);
            }
        }
    }
}

/// The maps of a member.
fn maps<T>(member: &Evolution<T>) -> impl Iterator<Item = &[Row<T>]> {
    member.stages.iter().filter_map(|stage| match stage {
        Stage::Map(rows) => Some(&rows[..]),
        _ => None,
    })
}

/// A vector of a member by its number: start, generators, obstacles, maps.
pub(super) fn source<T>(member: &Evolution<T>, vector: usize) -> Source<'_, T> {
    let Evolution { start, generators, obstacles, .. } = member;
    let Some(after_start) = vector.checked_sub(1) else { return Source::Numbers(start) };
    if let Some(l) = generators.get(after_start / GENERATOR) {
        return Source::Numbers([&l.lower, &l.diagonal, &l.upper][after_start % GENERATOR]);
    }
    let after_generators = after_start - GENERATOR * generators.len();
    if let Some(g) = obstacles.get(after_generators) {
        return Source::Numbers(g);
    }
    let of_maps = after_generators - obstacles.len();
    let rows = maps(member).nth(of_maps / MAP).unwrap_or(&[]);
    match of_maps % MAP {
        0 => Source::Constants(rows),
        j => Source::Weights(rows, j - 1),
    }
}

impl<'a, T: Laid> Tile<'a, T> {
    /// The member that stands for all.
    pub(super) fn first(&self) -> &'a Evolution<T> {
        self.members[0]
    }

    pub(super) fn nodes(&self) -> usize {
        self.first().start.len()
    }

    /// Members that it has room for.
    pub(super) fn width(&self) -> usize {
        self.way.width()
    }

    /// The memory that a tile of members like this one takes. Numbers have `planes` planes, and a
    /// block has `shared` bytes of shared memory.
    pub(super) fn room(way: Way, planes: usize, member: &Evolution<T>, shared: usize) -> Room {
        let Evolution { start, generators, obstacles, stages } = member;
        let (width, nodes, maps) = (way.width(), start.len(), maps(member).count());
        let vector = nodes * planes * width;
        let block = Block::new(planes, nodes);
        let work = match way {
            Way::Chain => WORK * vector,
            Way::Scan if block.shared(shared).1 => 0,
            Way::Scan => block.vectors(),
        };
        let vectors = 1 + GENERATOR * generators.len() + obstacles.len() + MAP * maps;
        let contacts = stages.iter().map(|stage| match stage {
            Stage::Steps(steps) if steps.constraint.is_some() => steps.count,
            _ => 0,
        });
        Room {
            input: vectors * vector,
            u: vector,
            work,
            numbers: NUMBERS * stages.len() * planes * width,
            firsts: maps * nodes * width,
            contacts: contacts.sum::<usize>() * width,
        }
    }

    /// Its stages, as the kernel has them.
    pub(super) fn stages(&self) -> Result<Vec<arguments::Stage>, Error> {
        let Evolution { generators, obstacles, stages, .. } = self.first();
        let first_obstacle = 1 + GENERATOR * generators.len();
        let first_map = first_obstacle + obstacles.len();
        let (mut maps, mut contacts) = (0, 0);
        let without_steps = |kind, operand, numbers| -> Result<arguments::Stage, Error> {
            Ok(arguments::Stage {
                kind: kind as i32,
                operand: counted(operand)?,
                count: 0,
                obstacle: -1,
                high_first: 0,
                numbers: counted(numbers)?,
                contact: 0,
                unused: 0,
            })
        };
        let of = |(at, stage): (usize, &Stage<T>)| match stage {
            Stage::Steps(steps) => {
                let obstacle = steps.constraint.map(|c| counted(first_obstacle + c.obstacle));
                let high_first = steps.constraint.is_some_and(Constraint::begins_high);
                let contact = contacts;
                contacts += if obstacle.is_some() { steps.count } else { 0 };
                Ok(arguments::Stage {
                    kind: Kind::Steps as i32,
                    operand: counted(1 + GENERATOR * steps.generator)?,
                    count: counted(steps.count)?,
                    obstacle: obstacle.unwrap_or(Ok(-1))?,
                    high_first: high_first.into(),
                    numbers: counted(NUMBERS * at)?,
                    contact: counted(contact)?,
                    unused: 0,
                })
            }
            Stage::Map(_) => {
                maps += 1;
                without_steps(Kind::Map, first_map + MAP * (maps - 1), maps - 1)
            }
            Stage::Floor(obstacle) => without_steps(Kind::Floor, first_obstacle + obstacle, 0),
        };
        stages.iter().enumerate().map(of).collect()
    }

    /// Writes the numbers of stages, in `planes` planes, and the first nodes of maps.
    pub(super) fn fill(&self, planes: usize, numbers: &mut [f64], firsts: &mut [i32]) {
        let width = self.width();
        for (lane, member) in self.members.iter().enumerate() {
            let of_stages = numbers.chunks_exact_mut(NUMBERS * planes * width);
            for (stage, numbers) in member.stages.iter().zip(of_stages) {
                if let Stage::Steps(steps) = stage {
                    for (at, number) in [&steps.dt, &steps.theta].into_iter().enumerate() {
                        for p in 0..planes {
                            numbers[(at * planes + p) * width + lane] = number.plane(p);
                        }
                    }
                }
            }
            let of_maps = firsts.chunks_exact_mut(self.nodes() * width);
            for (rows, firsts) in maps(member).zip(of_maps) {
                for (row, first) in rows.iter().zip(firsts.iter_mut().skip(lane).step_by(width)) {
                    *first = row.first as i32;
                }
            }
        }
    }
}
