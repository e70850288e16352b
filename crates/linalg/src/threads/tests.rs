use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;

use super::*;

const GRAINS: [Grain; 5] =
    [Grain::Single, Grain::ANY, Grain::AtLeast(0), Grain::AtLeast(7), Grain::WHOLE];

/// On one, two and three threads, with every grain, for counts about powers of two.
fn everywhere(check: impl Fn(usize, Grain) + Sync) {
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for grain in GRAINS {
            for count in [0, 1, 2, 3, 7, 8, 9, 100] {
                check(count, grain);
                pool.install(|| check(count, grain));
            }
        }
    }
}

#[test]
fn each_index_comes_once() {
    everywhere(|count, grain| {
        let calls: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
        for_each_index(count, grain, |i| {
            calls[i].fetch_add(1, Ordering::Relaxed);
        });
        assert!(calls.iter().all(|calls| calls.load(Ordering::Relaxed) == 1));
    });
}

#[test]
fn parts_come_with_their_places() {
    everywhere(|count, grain| {
        let (mut ones, mut threes) = (vec![0; count], vec![0; (3 * count).saturating_sub(1)]);
        for_each((&mut ones[..], chunks(&mut threes, 3)), grain, |i, (one, three)| {
            assert_eq!(three.len(), if i + 1 == count { 2 } else { 3 });
            *one += i;
            three.iter_mut().for_each(|x| *x += i);
        });
        assert!(ones.iter().enumerate().all(|(i, &x)| x == i));
        assert!(threes.iter().enumerate().all(|(i, &x)| x == i / 3));
    });
}

#[test]
fn results_are_in_order() {
    everywhere(|count, grain| {
        let squares: Vec<String> = (0..count).map(|i| (i * i).to_string()).collect();
        assert_eq!(map(count, grain, |i| (i * i).to_string()), squares);
        let with = map_with(count, grain, String::new, |text, i| {
            *text = (i * i).to_string();
            text.clone()
        });
        assert_eq!(with, squares);
        let mut numbers: Vec<usize> = (0..count).collect();
        let of_parts = map_parts(&mut numbers[..], grain, |i, x| (*x * i).to_string());
        assert_eq!(of_parts, squares);
    });
}

#[test]
fn all_pass_or_one_does_not() {
    everywhere(|count, grain| {
        assert!(all(count, grain, |i| i < count));
        (0..count).for_each(|failing| assert!(!all(count, grain, |i| i != failing)));
    });
}

/// One for each run, and no run is larger than the grain says.
#[test]
fn scratch_memory_is_made_for_each_run() {
    everywhere(|count, grain| {
        let (runs, mut items) = (Mutex::new(Vec::new()), vec![(); count]);
        let init = || {
            runs.lock().unwrap().push(());
        };
        for_each_with(&mut items[..], grain, init, |(), _, _| {});
        let runs = runs.into_inner().unwrap().len();
        match grain {
            _ if rayon::current_num_threads() == 1 => assert_eq!(runs, 1),
            Grain::Single => assert_eq!(runs, count.max(1)),
            Grain::AtLeast(least) => assert!(runs <= (count / least.max(1)).max(1)),
        }
    });
}

#[test]
fn both_run_and_return() {
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let both = || join(|| "first".to_owned(), || 2);
        assert_eq!(both(), ("first".to_owned(), 2));
        assert_eq!(pool.install(both), ("first".to_owned(), 2));
        assert_eq!(enter(|| "inside".to_owned()), "inside");
    }
}

/// From outside a pool too, and only for that time.
#[test]
fn alone_nothing_is_shared() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let check = || {
        let all = || {
            let mine = std::thread::current().id();
            let here = || assert_eq!(std::thread::current().id(), mine);
            for_each_index(9, Grain::Single, |_| here());
            join(here, here);
            enter(here);
            assert_eq!((available(), alone(available)), (1, 1));
        };
        alone(all);
        let panicked = catch_unwind(|| alone(|| panic!("ours")));
        assert!(panicked.is_err());
        assert_eq!(available(), rayon::current_num_threads());
    };
    check();
    pool.install(check);
}

#[test]
fn panics_reach_the_caller() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let message = |work: &(dyn Fn() + Sync)| {
        let panic = catch_unwind(AssertUnwindSafe(|| pool.install(work))).unwrap_err();
        *panic.downcast::<&str>().unwrap()
    };
    let at_five = |i: usize| assert!(i != 5, "five");
    assert_eq!(message(&|| for_each_index(9, Grain::Single, at_five)), "five");
    assert_eq!(message(&|| drop(map(9, Grain::ANY, at_five))), "five");
    let both = || {
        join(|| (), || at_five(5));
    };
    assert_eq!(message(&both), "five");
    assert_eq!(message(&|| enter(|| at_five(5))), "five");
}
