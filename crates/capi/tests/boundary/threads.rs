//! Many threads at a time.

use std::ptr::null_mut;
use std::thread;

use nonius_c::dense::nonius_solve;
use nonius_c::matrix::*;
use nonius_c::precision::*;
use nonius_c::settings::*;
use nonius_c::status::Status;

use super::{last, made, matrix, ok, text};

/// A handle that several threads read.
#[derive(Clone, Copy)]
struct Shared(*mut Matrix);

// SAFETY: the header says that several threads may read a handle at a time.
unsafe impl Send for Shared {}

#[test]
fn threads_read_one_matrix_and_have_errors_of_their_own() {
    let n = 40;
    let data: Vec<f64> =
        (0..n * n).map(|k| if k % (n + 1) == 0 { 9.0 } else { (k % 7) as f64 }).collect();
    let (a, b) = (matrix(NONIUS_QD, n, n, &data), matrix(NONIUS_QD, n, 1, &data[..n]));
    let shared = [Shared(a), Shared(b)];
    let workers: Vec<_> = (0..4)
        .map(|count| {
            thread::spawn(move || {
                let [Shared(a), Shared(b)] = { shared };
                assert_eq!(last(), "");
                // SAFETY: the handles live until all threads have ended.
                unsafe {
                    ok(nonius_set_device(text("cpu").as_ptr()));
                    ok(nonius_set_threads(count));
                    let mut none = null_mut();
                    let code = 1000 + count as u32;
                    assert_eq!(nonius_matrix_zeros(code, 1, 1, &mut none), Status::Precision);
                    let x = made(|to| nonius_solve(a, b, to, null_mut()));
                    assert!(last().starts_with(&format!("precision {code}: ")));
                    let mut limbs = vec![0.0; 4 * n];
                    ok(nonius_matrix_to_limbs(x, limbs.as_mut_ptr(), 4));
                    nonius_matrix_free(x);
                    limbs
                }
            })
        })
        .collect();
    let found: Vec<Vec<f64>> = workers.into_iter().map(|worker| worker.join().unwrap()).collect();
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
    // SAFETY: handles are freed once.
    unsafe {
        nonius_matrix_free(a);
        nonius_matrix_free(b);
    }
}
