//! Problems shared out among ranks are those of one host.

use nonius_comm::threads::run;
use nonius_linalg::backend::Cpu;

use super::suite::{self, ELASTIC, laws, same_as};
use super::{elastic, hexahedra};
use crate::Ranks;
use crate::model::{ElementId, Kind};
use crate::solid::{
    Division, Failure, Layout, Limits, NODES, PATCH, Precision, Problem, Run, Share, State,
};

/// Of all kinds and laws, with everything that there may be, at all stages of a run.
#[test]
fn ranks_have_the_bits_of_one_host() {
    for ranks in 2..=4 {
        let check = |ranks: &_| {
            let ranks = Ranks(Clone::clone(ranks));
            Kind::ALL.into_iter().for_each(|kind| same_as(&Cpu::default(), &ranks, kind));
            Ok::<_, Failure>(())
        };
        run(ranks, check).unwrap();
    }
}

/// A state of some ranks goes on with others.
#[test]
fn runs_go_on_with_other_ranks() {
    let problem = suite::problem(Kind::ReducedHexahedron, laws(ELASTIC).swap_remove(2));
    let limits = Limits { factor: 0.7, most: 1.0, resync: None };
    let advanced = |ranks: usize, state: &State| -> State {
        let states = run(ranks, |ranks| {
            let backend = Ranks(ranks.clone());
            let mut run = Run::on(&backend, &problem, Precision::Mixed, state)?;
            run.advance(limits, 1e3, 20)?;
            run.state()
        });
        states.unwrap().swap_remove(ranks - 1)
    };
    let begin = State::new(&problem);
    let expected = advanced(1, &advanced(1, &begin));
    for (first, second) in [(1, 3), (2, 1), (3, 2), (4, 4)] {
        assert!(advanced(second, &advanced(first, &begin)) == expected, "{first}, {second}");
    }
}

/// All ranks learn of the first failure, the same as one host's.
#[test]
fn failures_are_those_of_one_host() {
    let cube =
        hexahedra(Kind::Hexahedron, [16, 9, 9], [16.0, 9.0, 9.0], |x| x, elastic(1.0, 0.25, 1.0));
    let nodes = cube.coordinates.len();
    // Both ends are pressed into themselves, or one node is infinitely fast.
    let inverted = Problem {
        velocities: cube
            .coordinates
            .iter()
            .map(|x| [-10.0 * (x[0] - 8.0).powi(3), 0.0, 0.0])
            .collect(),
        ..cube.clone()
    };
    let mut velocities = vec![[0.0; 3]; nodes];
    (velocities[nodes - 1], velocities[nodes / 3]) = ([0.0, f64::INFINITY, 0.0], [f64::NAN; 3]);
    let not_finite = Problem { velocities, ..cube };
    let limits = Limits { factor: 0.9, most: 1e-2, resync: None };
    for problem in [inverted, not_finite] {
        let failure = |ranks: usize| {
            let found = run(ranks, |ranks| {
                let state = State::new(&problem);
                let backend = Ranks(ranks.clone());
                let mut run = Run::on(&backend, &problem, Precision::Double, &state)?;
                Ok::<_, Failure>(run.advance(limits, 1e3, 1000).unwrap_err())
            });
            let mut found = found.unwrap();
            found.dedup();
            assert_eq!(found.len(), 1, "{found:?}");
            found.remove(0)
        };
        let expected = failure(1);
        assert!(matches!(expected, Failure::Inverted { .. } | Failure::NotFinite { .. }));
        (2..=4).for_each(|ranks| assert_eq!(failure(ranks), expected));
    }
}

/// Every patch and every node once; ranks agree on what goes between them; costs are alike, and
/// some patches lie inside.
#[test]
fn shares_fit_together() {
    let size = [64, 32, 32];
    let problem = hexahedra(
        Kind::ReducedHexahedron,
        size,
        size.map(|n| n as f64),
        |x| x,
        elastic(1.0, 0.25, 1.0),
    );
    let layout = Layout::new(&problem, PATCH);
    let patches = layout.blocks[0].first.len() - 1;
    for ranks in 1..=5 {
        let division = Division::new(&problem, &layout, ranks);
        let shares: Vec<Share> =
            (0..ranks).map(|rank| Share::new(&problem, &layout, &division, rank)).collect();
        let mut own: Vec<u32> =
            shares.iter().flat_map(|share| &share.nodes[..share.owned]).copied().collect();
        own.sort_unstable();
        assert!(own.into_iter().eq(0..layout.order.len() as u32));
        let mut all: Vec<u32> = Vec::new();
        for (rank, share) in shares.iter().enumerate() {
            assert!(
                share.nodes[..share.owned].chunks(NODES).all(|group| group[0] % NODES as u32 == 0)
            );
            let of_rank: Vec<u32> =
                share.parts.iter().flat_map(|part| part.numbers.clone()).collect();
            assert!(of_rank.len().abs_diff(patches / ranks) <= 1);
            let boundary = share.parts.iter().filter(|part| part.is_boundary);
            let boundary: usize = boundary.map(|part| part.numbers.len()).sum();
            // Cuts through the middle have the shortest boundaries.
            let most = if ranks.is_power_of_two() { of_rank.len() / 2 } else { of_rank.len() };
            assert!(boundary < most, "{boundary} of {}, {ranks} ranks", of_rank.len());
            all.extend(of_rank);
            for link in &share.links {
                let back = shares[link.rank].links.iter().find(|back| back.rank == rank).unwrap();
                assert_eq!(link.sums.len(), back.sums_from.len());
                assert_eq!(link.nodes.len(), back.nodes_from.len());
            }
        }
        all.sort_unstable();
        assert!(all.into_iter().eq(0..patches as u32));
    }
}

/// More ranks than patches: some have nothing to do.
#[test]
fn ranks_may_have_nothing() {
    let mut problem =
        hexahedra(Kind::Hexahedron, [3, 2, 2], [3.0, 2.0, 2.0], |x| x, elastic(1.0, 0.25, 1.0));
    problem.velocities = problem.coordinates.iter().map(|x| [0.01 * x[1], 0.0, 0.0]).collect();
    // A node without elements, and a block without any.
    problem.coordinates.push([9.0; 3]);
    problem.velocities.push([1.0; 3]);
    problem.blocks.push(super::block(Kind::Tetrahedron, Vec::new()));
    assert_eq!(problem.blocks[0].labels.len(), 12);
    let element = ElementId { block: 0, element: 11 };
    let end = |ranks: usize| {
        let found = run(ranks, |ranks| {
            let state = State::new(&problem);
            let mut run = Run::on(&Ranks(ranks.clone()), &problem, Precision::Double, &state)?;
            let limits = Limits { factor: 0.9, most: 1.0, resync: None };
            run.advance(limits, 1e3, 30)?;
            let stress = run.fields(0)?[element.element as usize].stress;
            Ok::<_, Failure>((run.state()?, stress, run.works()?, run.kinetic()?))
        });
        let mut found = found.unwrap();
        found.dedup();
        assert_eq!(found.len(), 1);
        found.remove(0)
    };
    let expected = end(1);
    (2..=4).for_each(|ranks| assert!(end(ranks) == expected));
}
