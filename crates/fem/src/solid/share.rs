//! What one rank has of a problem, in its own numbers.

use core::ops::Range;
use std::collections::BTreeMap;

use super::division::Division;
use super::layout::{Layout, Patches};
use super::problem::{FaceNodes, FacePressure, NodeForce, NodeMotion, Problem};
use crate::model::Wall;

/// What a rank has of a problem. Nodes have numbers of the rank's own: first those of its groups,
/// then others that it moves, then those whose displacements other ranks tell it. A single rank has
/// everything, in the order of the layout.
#[derive(Debug)]
pub struct Share {
    /// Of each node its number in the layout.
    pub nodes: Vec<u32>,
    /// How many nodes its groups have.
    pub owned: usize,
    /// How many nodes it moves.
    pub moved: usize,
    /// Patches, those first that other ranks wait for.
    pub parts: Vec<OwnPart>,
    /// Sums of its patches and, after those, of other ranks: those of node `i` are
    /// `slots[first[i]..first[i + 1]]`, in the order of all patches.
    pub slots: Vec<u32>,
    /// See [`slots`](Share::slots).
    pub first: Vec<u32>,
    /// How many sums its patches have, and how many there are.
    pub sums: [usize; 2],
    /// Other ranks.
    pub links: Vec<Link>,
    /// Motions, loads and walls of its nodes, in its numbers, without elements.
    pub problem: Problem,
}

/// Patches that are computed at once, with nodes by the rank's numbers.
#[derive(Debug)]
pub struct OwnPart {
    /// Their block.
    pub block: usize,
    /// The patches' numbers there.
    pub numbers: Vec<u32>,
    /// The patches.
    pub patches: Patches,
    /// Whether other ranks wait for their sums.
    pub is_boundary: bool,
}

/// What goes to another rank in each step, and what comes from it.
#[derive(Clone, Debug, Default)]
pub struct Link {
    /// The other rank.
    pub rank: usize,
    /// Sums that go.
    pub sums: Vec<u32>,
    /// Nodes whose displacements go.
    pub nodes: Vec<u32>,
    /// The places of the sums that come.
    pub sums_from: Range<usize>,
    /// The nodes whose displacements come.
    pub nodes_from: Range<usize>,
}

impl Share {
    /// What a rank has.
    pub fn new(problem: &Problem, layout: &Layout, division: &Division, rank: usize) -> Self {
        let faces = Faces::new(problem, layout, division, rank);
        let mut nodes: Vec<u32> = division.nodes_of(rank).into_iter().map(|n| n as u32).collect();
        let owned = nodes.len();
        let is_others = |&n: &usize| division.moves(rank, n) && division.owner(n) != rank;
        nodes.extend((0..layout.order.len()).filter(is_others).map(|n| n as u32));
        let moved = nodes.len();
        nodes.extend(&faces.seen);
        let mut local = vec![u32::MAX; layout.order.len()];
        nodes.iter().zip(0..).for_each(|(&node, own)| local[node as usize] = own);

        let parts: Vec<OwnPart> = division
            .parts(rank)
            .into_iter()
            .map(|part| OwnPart {
                block: part.block,
                patches: some_of(&layout.blocks[part.block], layout.patch, &part.patches, &local),
                numbers: part.patches,
                is_boundary: part.is_boundary,
            })
            .collect();
        let Sums { own, mut links, places } = Sums::new(layout, division, rank, &parts);
        let (mut first, mut slots) = (vec![0], Vec::new());
        for &node in &nodes[..moved] {
            let all =
                layout.first[node as usize] as usize..layout.first[node as usize + 1] as usize;
            slots.extend(layout.slots[all].iter().map(|&slot| places[slot as usize]));
            first.push(slots.len() as u32);
        }
        let all = own + links.values().map(|link| link.sums_from.len()).sum::<usize>();

        let mut from = moved;
        for seen in
            faces.seen.chunk_by(|&a, &b| division.owner(a as usize) == division.owner(b as usize))
        {
            let to = from + seen.len();
            links.entry(division.owner(seen[0] as usize)).or_default().nodes_from = from..to;
            from = to;
        }
        for (&to, shown) in &faces.shown {
            let nodes = shown.iter().map(|&node| local[node as usize]).collect();
            links.entry(to).or_default().nodes = nodes;
        }
        let links = links.into_iter().map(|(rank, link)| Link { rank, ..link }).collect();

        let problem = in_own_numbers(problem, layout, (&nodes, moved), &local, faces.pressures);
        Self { nodes, owned, moved, parts, slots, first, sums: [own, all], links, problem }
    }
}

/// Sums that a rank's patches form, and those that come.
struct Sums {
    own: usize,
    links: BTreeMap<usize, Link>,
    /// Of each sum of the layout its place here.
    places: Vec<u32>,
}

impl Sums {
    fn new(layout: &Layout, division: &Division, rank: usize, parts: &[OwnPart]) -> Self {
        let mut before = Vec::with_capacity(layout.blocks.len());
        let mut count = 0;
        for block in &layout.blocks {
            before.push(count);
            count += block.nodes.len();
        }
        let mut places = vec![u32::MAX; count];
        let mut own = 0;
        for part in parts {
            let first = &layout.blocks[part.block].first;
            for &patch in &part.numbers {
                for slot in first[patch as usize]..first[patch as usize + 1] {
                    places[before[part.block] + slot as usize] = own;
                    own += 1;
                }
            }
        }
        let mut links = BTreeMap::<usize, Link>::new();
        let mut come = BTreeMap::<usize, Vec<usize>>::new();
        for (number, block) in layout.blocks.iter().enumerate() {
            for patch in 0..block.first.len() - 1 {
                let of = division.rank_of(number, patch);
                let slots = before[number] + block.first[patch] as usize..;
                for (slot, &node) in slots.zip(block.nodes_of(patch)) {
                    if of != rank {
                        if division.moves(rank, node as usize) {
                            come.entry(of).or_default().push(slot);
                        }
                        continue;
                    }
                    for &to in division.movers(node as usize) {
                        if to as usize != rank {
                            links.entry(to as usize).or_default().sums.push(places[slot]);
                        }
                    }
                }
            }
        }
        let mut next = own;
        for (from, slots) in come {
            let begin = next as usize;
            for slot in slots {
                places[slot] = next;
                next += 1;
            }
            links.entry(from).or_default().sums_from = begin..next as usize;
        }
        Self { own: own as usize, links, places }
    }
}

/// Faces under pressure at nodes that a rank moves.
struct Faces {
    pressures: Vec<FacePressure>,
    /// Their nodes that the rank does not move, by owners and then by numbers.
    seen: Vec<u32>,
    /// The nodes of the rank's groups that others see.
    shown: BTreeMap<usize, Vec<u32>>,
}

impl Faces {
    fn new(problem: &Problem, layout: &Layout, division: &Division, rank: usize) -> Self {
        let mut faces = Self { pressures: Vec::new(), seen: Vec::new(), shown: BTreeMap::new() };
        for pressure in &problem.pressures {
            let mut own = Vec::new();
            for face in &pressure.faces {
                let nodes: Vec<u32> =
                    face.nodes.iter().map(|&node| layout.place[node as usize]).collect();
                if faces.is_own(division, rank, &nodes) {
                    own.push(face.clone());
                }
            }
            faces.pressures.push(FacePressure { faces: own, course: pressure.course });
        }
        faces.seen.sort_unstable_by_key(|&node| (division.owner(node as usize), node));
        faces.seen.dedup();
        for shown in faces.shown.values_mut() {
            shown.sort_unstable();
            shown.dedup();
        }
        faces
    }

    /// Whether a face has a node that the rank moves; notes who sees what of it.
    fn is_own(&mut self, division: &Division, rank: usize, nodes: &[u32]) -> bool {
        let movers = nodes.iter().flat_map(|&node| division.movers(node as usize));
        let mut ranks: Vec<usize> = movers.map(|&rank| rank as usize).collect();
        ranks.sort_unstable();
        ranks.dedup();
        for &node in nodes {
            for &other in &ranks {
                if division.moves(other, node as usize) {
                    continue;
                }
                if other == rank {
                    self.seen.push(node);
                } else if division.owner(node as usize) == rank {
                    self.shown.entry(other).or_default().push(node);
                }
            }
        }
        ranks.contains(&rank)
    }
}

/// Some patches of a block, with other numbers of nodes.
fn some_of(all: &Patches, size: usize, numbers: &[u32], local: &[u32]) -> Patches {
    let mut some = Patches { first: vec![0], ..Patches::default() };
    let width = all.local.len() / all.elements.len().max(1);
    for &patch in numbers {
        let elements = patch as usize * size..all.elements.len().min((patch as usize + 1) * size);
        some.local.extend(&all.local[elements.start * width..elements.end * width]);
        some.elements.extend(&all.elements[elements]);
        some.nodes.extend(all.nodes_of(patch as usize).iter().map(|&node| local[node as usize]));
        some.first.push(some.nodes.len() as u32);
    }
    some
}

/// The problem of the nodes that a rank moves, without elements.
fn in_own_numbers(
    problem: &Problem,
    layout: &Layout,
    (nodes, moved): (&[u32], usize),
    local: &[u32],
    mut pressures: Vec<FacePressure>,
) -> Problem {
    let number = |node: u32| local[layout.place[node as usize] as usize];
    let is_moved = |node: u32| (number(node) as usize) < moved;
    for FaceNodes { nodes, .. } in pressures.iter_mut().flat_map(|pressure| &mut pressure.faces) {
        nodes.iter_mut().for_each(|node| *node = number(*node));
    }
    let motion = |motion: &NodeMotion| NodeMotion { node: number(motion.node), ..*motion };
    let force = |force: &NodeForce| NodeForce { node: number(force.node), ..*force };
    let own = |nodes: &Vec<u32>| {
        nodes.iter().copied().filter(|&node| is_moved(node)).map(number).collect()
    };
    let wall = |wall: &Wall| Wall { nodes: wall.nodes.as_ref().map(own), ..wall.clone() };
    let coordinate = |&node: &u32| problem.coordinates[layout.order[node as usize] as usize];
    Problem {
        coordinates: nodes.iter().map(coordinate).collect(),
        courses: problem.courses.clone(),
        motions: problem.motions.iter().filter(|m| is_moved(m.node)).map(motion).collect(),
        forces: problem.forces.iter().filter(|f| is_moved(f.node)).map(force).collect(),
        pressures,
        gravity: problem.gravity.clone(),
        walls: problem.walls.iter().map(wall).collect(),
        viscosity: problem.viscosity,
        hourglass: problem.hourglass,
        ..Problem::default()
    }
}
