//! What every engine does, on any number of ranks.

#![allow(dead_code, reason = "a program of tests takes some of it")]

pub(crate) mod dense;
pub(crate) mod digits;
pub(crate) mod krylov;
pub(crate) mod systems;
pub(crate) mod tridiag;

use nonius_comm::{Communicator, Error, Item, Reduction};

/// Everything.
pub(crate) fn check(ranks: &Communicator) -> Result<(), Error> {
    messages_go_round(ranks)?;
    tags_are_apart(ranks)?;
    long_messages_cross(ranks)?;
    lengths_are_checked(ranks)?;
    roots_give_to_all(ranks)?;
    parts_are_gathered_and_exchanged(ranks)?;
    reductions_are_in_the_order_of_ranks(ranks)?;
    specials_are_reduced(ranks)?;
    groups_are_apart(ranks)
}

/// Numbers that differ between ranks and places, `f64` with a low bit set.
fn number(rank: usize, place: usize) -> f64 {
    let mixed = (rank as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (place as u64) << 17;
    (mixed >> 11) as f64 / 1e3 - 1e12
}

fn next(ranks: &Communicator) -> usize {
    (ranks.rank() + 1) % ranks.size()
}

fn before(ranks: &Communicator) -> usize {
    (ranks.rank() + ranks.size() - 1) % ranks.size()
}

fn round<T: Item + PartialEq + core::fmt::Debug>(
    ranks: &Communicator,
    length: usize,
    item: impl Fn(usize, usize) -> T,
) -> Result<(), Error> {
    let of = |rank: usize| -> Vec<T> { (0..length).map(|place| item(rank, place)).collect() };
    ranks.send(next(ranks), 7, &of(ranks.rank()))?;
    let mut found = vec![item(0, 1); length];
    ranks.receive(before(ranks), 7, &mut found)?;
    assert_eq!(found, of(before(ranks)));
    Ok(())
}

fn messages_go_round(ranks: &Communicator) -> Result<(), Error> {
    for length in [0, 1, 2, 1000, 100_003] {
        round(ranks, length, number)?;
        round(ranks, length, |rank, place| (rank + place) as u8)?;
        round(ranks, length, |rank, place| (rank * 1_000_003 + place) as u32)?;
        round(ranks, length, |rank, place| (rank as u64) << 50 | place as u64)?;
        round(ranks, length, |rank, place| place as i64 - ((rank as i64) << 40))?;
        round(ranks, length, |rank, place| place as i32 - ((rank as i32) << 20))?;
    }
    Ok(())
}

/// Messages of one tag arrive in their order, and are received before others that came first.
fn tags_are_apart(ranks: &Communicator) -> Result<(), Error> {
    for (tag, x) in [(1, 10_u32), (0, 20), (32_000, 30), (1, 11), (0, 21)] {
        ranks.send(next(ranks), tag, &[x])?;
    }
    for (tag, x) in [(32_000, 30), (0, 20), (0, 21), (1, 10), (1, 11)] {
        let mut found = [0_u32];
        ranks.receive(before(ranks), tag, &mut found)?;
        assert_eq!(found, [x]);
    }
    Ok(())
}

/// All send before any receives, to itself too.
fn long_messages_cross(ranks: &Communicator) -> Result<(), Error> {
    let length = 1_000_000;
    let of = |rank: usize| -> Vec<f64> { (0..length).map(|place| number(rank, place)).collect() };
    (0..ranks.size()).try_for_each(|to| ranks.send(to, 3, &of(ranks.rank())))?;
    let mut found = vec![0.0; length];
    for from in (0..ranks.size()).rev() {
        ranks.receive(from, 3, &mut found)?;
        assert_eq!(found, of(from));
    }
    Ok(())
}

fn lengths_are_checked(ranks: &Communicator) -> Result<(), Error> {
    let from = before(ranks);
    for (sent, expected) in [(3, 2), (1, 2), (0, 1), (2, 0)] {
        ranks.send(next(ranks), 5, &vec![1_u32; sent])?;
        let outcome = ranks.receive(from, 5, &mut vec![0_u32; expected]);
        let error = Error::Length { from, expected: 4 * expected, found: 4 * sent };
        assert_eq!(outcome, Err(error));
    }
    // What follows is not disturbed.
    round(ranks, 10, number)
}

fn roots_give_to_all(ranks: &Communicator) -> Result<(), Error> {
    for root in 0..ranks.size() {
        for length in [0, 1, 33_333] {
            let of = |rank| -> Vec<f64> { (0..length).map(|place| number(rank, place)).collect() };
            let mut items = of(ranks.rank());
            ranks.broadcast(root, &mut items)?;
            assert_eq!(items, of(root));
        }
    }
    Ok(())
}

fn parts_are_gathered_and_exchanged(ranks: &Communicator) -> Result<(), Error> {
    let size = ranks.size();
    let uneven = |rank: usize| -> Vec<f64> { (0..3 * rank).map(|at| number(rank, at)).collect() };
    let parts = ranks.all_gather_lists(&uneven(ranks.rank()))?;
    assert!(parts.into_iter().eq((0..size).map(uneven)));
    for length in [0, 1, 1001] {
        let mine: Vec<f64> = (0..length).map(|place| number(ranks.rank(), place)).collect();
        let mut all = vec![0.0; size * length];
        ranks.all_gather(&mine, &mut all)?;
        let expected = (0..size).flat_map(|rank| (0..length).map(move |at| number(rank, at)));
        assert!(all.iter().copied().eq(expected));

        // Rank `r` has `r` times as many.
        let counts: Vec<usize> = (0..size).map(|rank| rank * length).collect();
        let place = |rank: usize| counts[..rank].iter().sum::<usize>();
        let mut all = vec![f64::NAN; place(size)];
        for at in 0..counts[ranks.rank()] {
            all[place(ranks.rank()) + at] = number(ranks.rank(), at);
        }
        ranks.all_gather_parts(&counts, &mut all)?;
        let expected = (0..size).flat_map(|rank| (0..counts[rank]).map(move |at| (rank, at)));
        assert!(all.iter().copied().eq(expected.map(|(rank, at)| number(rank, at))));

        let item = |from: usize, to: usize, place: usize| (from << 24 | to << 16 | place) as u32;
        let given: Vec<u32> = (0..size)
            .flat_map(|to| (0..length).map(move |place| item(ranks.rank(), to, place)))
            .collect();
        let mut taken = vec![0; given.len()];
        ranks.all_to_all(&given, &mut taken)?;
        let expected =
            (0..size).flat_map(|from| (0..length).map(move |at| item(from, ranks.rank(), at)));
        assert!(taken.iter().copied().eq(expected));
    }
    Ok(())
}

/// Sums of floats have the bits of a sum over ranks 0, 1, …
fn reductions_are_in_the_order_of_ranks(ranks: &Communicator) -> Result<(), Error> {
    let size = ranks.size();
    for length in [0, 1, 2, 3, 5, 1000] {
        let of = |rank: usize| -> Vec<f64> { (0..length).map(|at| number(rank, at)).collect() };
        let sum: Vec<f64> =
            (0..length).map(|at| (1..size).fold(number(0, at), |x, r| x + number(r, at))).collect();
        let mut items = of(ranks.rank());
        ranks.all_reduce(Reduction::Sum, &mut items)?;
        assert_eq!(items, sum);
        let mut least = of(ranks.rank());
        ranks.all_reduce(Reduction::Least, &mut least)?;
        let expected =
            (0..length).map(|at| (0..size).map(|r| number(r, at)).fold(f64::MAX, f64::min));
        assert!(least.into_iter().eq(expected));

        let parts: Vec<f64> = (0..size * length).map(|at| number(ranks.rank(), at)).collect();
        let mut mine = vec![0.0; length];
        ranks.reduce_scatter(Reduction::Sum, &parts, &mut mine)?;
        let place = |at| ranks.rank() * length + at;
        let expected = (0..length)
            .map(|at| (1..size).fold(number(0, place(at)), |x, r| x + number(r, place(at))));
        assert!(mine.into_iter().eq(expected));
    }
    Ok(())
}

fn specials_are_reduced(ranks: &Communicator) -> Result<(), Error> {
    let last = ranks.rank() + 1 == ranks.size();
    let mut floats = [if last { f64::NAN } else { 1.0 }, if last { f64::INFINITY } else { 2.0 }];
    ranks.all_reduce(Reduction::Greatest, &mut floats)?;
    assert!(floats[0].is_nan() && floats[1] == f64::INFINITY);
    let mut words = [u32::MAX, ranks.rank() as u32];
    ranks.all_reduce(Reduction::Sum, &mut words)?;
    let size = ranks.size() as u32;
    assert_eq!(words, [u32::MAX.wrapping_mul(size), size * (size - 1) / 2]);
    let mut signed = [-(ranks.rank() as i64)];
    ranks.all_reduce(Reduction::Least, &mut signed)?;
    assert_eq!(signed, [-(ranks.size() as i64 - 1)]);
    Ok(())
}

/// Rows and columns of a grid; messages of one group are none of another.
fn groups_are_apart(ranks: &Communicator) -> Result<(), Error> {
    let (rank, columns) = (ranks.rank(), 2);
    let row = ranks.split(u32::MAX - (rank / columns) as u32)?;
    let column = ranks.split((rank % columns) as u32)?;
    assert_eq!((row.rank(), column.rank()), (rank % columns, rank / columns));
    for (group, shift) in [(&row, 100), (&column, 200), (ranks, 300)] {
        group.send(next(group), 1, &[(rank + shift) as u32])?;
    }
    let members = |same: &dyn Fn(usize) -> bool| -> Vec<usize> {
        (0..ranks.size()).filter(|&other| same(other)).collect()
    };
    let in_row = members(&|other| other / columns == rank / columns);
    let in_column = members(&|other| other % columns == rank % columns);
    let all = members(&|_| true);
    for (group, members, shift) in
        [(ranks, all, 300), (&column, in_column, 200), (&row, in_row, 100)]
    {
        assert_eq!(group.size(), members.len());
        let mut found = [0_u32];
        group.receive(before(group), 1, &mut found)?;
        assert_eq!(found, [(members[before(group)] + shift) as u32]);
        let mut sum = [rank as u64];
        group.all_reduce(Reduction::Sum, &mut sum)?;
        assert_eq!(sum, [members.iter().sum::<usize>() as u64]);
        group.barrier()?;
    }
    let again = column.split(5)?;
    assert_eq!((again.rank(), again.size()), (column.rank(), column.size()));
    again.barrier()
}
