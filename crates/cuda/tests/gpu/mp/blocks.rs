//! Blocks of columns that are factored by products: what the factors multiply to.

use nonius_cuda::{Cuda, DeviceMut, Layout};
use nonius_linalg::backend::{Order, Panel};
use nonius_linalg::dense::gemm::gemm;
use nonius_linalg::dense::{Cholesky, Lu, Transpose, Triangle};
use nonius_linalg::mp::{Bits, Matrix, Mp};

use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::random_matrix;

use super::{definite, download, upload};
use crate::gpu;

/// The same numbers with more bits.
fn widened(a: &Matrix, bits: Bits) -> Matrix {
    Matrix::from_fn_in(bits, a.rows(), a.cols(), |i, j| a.at(i, j).view().to_mp(bits))
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let mut c = Matrix::zeros_in(a.format(), a.rows(), b.cols());
    let no = Transpose::No;
    gemm(no, no, Mp::ONE, a.view(), b.view(), Mp::ZERO, c.view_mut()).expect("shapes fit");
    c
}

fn part(a: &Matrix, keep: impl Fn(usize, usize) -> bool, unit: bool) -> Matrix {
    Matrix::from_fn_in(a.format(), a.rows(), a.cols(), |i, j| match (unit && i == j, keep(i, j)) {
        (true, _) => Mp::ONE,
        (_, true) => a.at(i, j),
        _ => Mp::ZERO,
    })
}

fn magnitudes(a: &Matrix) -> Matrix {
    Matrix::from_fn_in(a.format(), a.rows(), a.cols(), |i, j| a.at(i, j).abs())
}

/// Panics unless `A` is near `L·U`, entry by entry. Allowed are `roundings` times the entry of
/// `|L||U|`, plus 2⁻⁴⁰ times the product of the greatest entries of its row of `L` and its column
/// of `U`, both times `2^-bits`. All numbers here have many bits.
fn check_product(
    (bits, roundings): (u32, f64),
    a: &Matrix,
    lower: &Matrix,
    upper: &Matrix,
    what: &str,
) {
    let found = product(lower, upper);
    let (lower, upper) = (magnitudes(lower), magnitudes(upper));
    let size = product(&lower, &upper);
    let greatest = |entries: &mut dyn Iterator<Item = Mp>| {
        entries.fold(Mp::ZERO, |greatest, x| if x > greatest { x } else { greatest })
    };
    let of_rows: Vec<Mp> =
        (0..a.rows()).map(|i| greatest(&mut (0..lower.cols()).map(|k| lower.at(i, k)))).collect();
    let roundings = Mp::from_f64(a.format(), roundings);
    for j in 0..a.cols() {
        let of_column = greatest(&mut (0..upper.rows()).map(|k| upper.at(k, j)));
        for (i, &of_row) in of_rows.iter().enumerate() {
            let error = (a.at(i, j) - found.at(i, j)).abs();
            let allowed = roundings * size.at(i, j) + (of_row * of_column).ldexp(-40);
            let allowed = allowed.ldexp(-(bits as i32));
            assert!(
                error <= allowed,
                "{what} ({i}, {j}): {:e} of {:e}",
                error.to_f64(),
                allowed.to_f64()
            );
        }
    }
}

fn lu(gpu: &Cuda, bits: u32, a: &Matrix, what: &str) {
    let (rows, cols) = a.shape();
    let (mut there, mut pivots) = (upload(gpu, a), vec![0; cols]);
    let inverse = gpu.lu_block(there.as_mut(), &mut pivots);
    gpu.finish().expect(what);
    let inverse = inverse.expect(what);
    let (factors, wide) = (download(gpu, &there), Bits::new((2 * bits + 64).min(4096)).unwrap());
    let mut moved = upload(gpu, a);
    gpu.swap_rows(moved.as_mut(), &pivots, Order::Forward);
    let moved = widened(&download(gpu, &moved), wide);
    let factors = widened(&factors, wide);
    let lower = part(&factors, |i, j| i > j, true);
    let upper = part(&factors, |i, j| i <= j, false);
    let upper = upper.view().block(0, 0, cols, cols).to_matrix();
    check_product((bits, 4.0), &moved, &lower, &upper, what);
    assert!((0..rows).all(|i| (0..cols).all(|j| lower.at(i, j).abs() <= Mp::from_f64(wide, 1.01))));
    let lower = lower.view().block(0, 0, cols, cols).to_matrix();
    let b = random_matrix::<Mp>(a.format(), cols, 37, 12);
    for (op, triangle) in [Transpose::No, Transpose::Yes]
        .into_iter()
        .flat_map(|op| [Triangle::Lower, Triangle::Upper].map(|triangle| (op, triangle)))
    {
        let mut x = upload(gpu, &b);
        gpu.solve_block(&inverse, triangle, op, x.as_mut());
        let x = widened(&download(gpu, &x), wide);
        let factor = if triangle == Triangle::Lower { &lower } else { &upper };
        let left = match op {
            Transpose::No => factor.clone(),
            Transpose::Yes => Matrix::from_fn_in(wide, cols, cols, |i, j| factor.at(j, i)),
        };
        let what = format!("{what} solved {triangle:?} {op:?}");
        check_product((bits, 4.0), &widened(&b, wide), &left, &x, &what);
    }
}

fn cholesky(gpu: &Cuda, bits: u32, a: &Matrix, what: &str) {
    let (rows, cols) = a.shape();
    let mut there = upload(gpu, a);
    assert!(gpu.cholesky_block(there.as_mut()), "{what}");
    let wide = Bits::new((2 * bits + 64).min(4096)).unwrap();
    let lower = part(&widened(&download(gpu, &there), wide), |i, j| i >= j, false);
    let mirrored = Matrix::from_fn_in(wide, rows, cols, |i, j| {
        let (i, j) = (i.max(j), i.min(j));
        a.at(i, j).view().to_mp(wide)
    });
    let transposed = Matrix::from_fn_in(wide, cols, cols, |i, j| lower.at(j, i));
    check_product((bits, 4.0), &mirrored, &lower, &transposed, what);
}

#[test]
#[ignore = "needs a GPU"]
fn factors_of_blocks_multiply_to_them() {
    let gpu = &gpu();
    for (bits, rows, cols) in [
        (64, 64, 64),
        (106, 300, 100),
        (212, 130, 129),
        (424, 260, 200),
        (424, 90, 65),
        (1000, 100, 70),
        (2048, 64, 64),
    ] {
        let format = Bits::new(bits).unwrap();
        let what = format!("mp{bits} {rows} × {cols}");
        let a = random_matrix::<Mp>(format, rows, cols, 21);
        lu(gpu, bits, &a, &what);
        lu(
            gpu,
            bits,
            &Matrix::from_fn_in(format, rows, cols, |i, j| a.at(i, j).ldexp(7001)),
            &what,
        );
        let a = definite(format, rows, cols, 22);
        cholesky(gpu, bits, &a, &what);
        let small = Matrix::from_fn_in(format, rows, cols, |i, j| a.at(i, j).ldexp(-7001));
        cholesky(gpu, bits, &small, &what);
        // Rows below that are far larger or smaller than the square.
        for below in [7001, -7001] {
            let far = Matrix::from_fn_in(format, rows, cols, |i, j| {
                a.at(i, j).ldexp(if i < cols { 0 } else { below })
            });
            cholesky(gpu, bits, &far, &format!("{what}, below by 2^{below}"));
        }
    }
    // Factors that are exact in double-double.
    let format = Bits::new(424).unwrap();
    let small = |i: usize, j: usize| {
        Mp::from_f64(format, ((i * 5 + j * 3) % 7) as f64 + if i == j { 90.0 } else { 0.0 })
    };
    lu(gpu, 424, &Matrix::from_fn_in(format, 80, 64, small), "integers");
}

/// What products cannot factor stays as it was, and is factored by panels.
#[test]
#[ignore = "needs a GPU"]
fn blocks_beyond_reach_are_left_alone() {
    let gpu = &gpu();
    let (bits, n) = (Bits::new(424).unwrap(), 80);
    let usual = random_matrix::<Mp>(bits, n, n, 31);
    let with = |entries: &[(usize, usize, f64)]| {
        let mut a = usual.clone();
        entries.iter().for_each(|&(i, j, x)| a.set(i, j, Mp::from_f64(bits, x)));
        a
    };
    let near = Matrix::from_fn_in(bits, n, n, |i, j| {
        usual.at(i, j.max(1))
            + if j == 0 { Mp::from_f64(bits, i as f64).ldexp(-200) } else { Mp::ZERO }
    });
    let cases = [
        ("columns nearly alike", near),
        ("zeros", Matrix::zeros_in(bits, n, n)),
        ("infinity", with(&[(70, 3, f64::INFINITY)])),
        ("nan", with(&[(79, 79, f64::NAN)])),
        ("infinity below", {
            let mut tall = random_matrix::<Mp>(bits, n + 9, n, 32);
            (0..n).for_each(|i| tall.set(i, i, Mp::from_f64(bits, n as f64)));
            tall.set(n + 3, 5, Mp::from_f64(bits, f64::INFINITY));
            tall
        }),
        ("few columns", random_matrix::<Mp>(bits, n, 63, 1)),
    ];
    for (what, a) in &cases {
        let (mut there, mut pivots) = (upload(gpu, a), vec![0; a.cols()]);
        assert!(gpu.lu_block(there.as_mut(), &mut pivots).is_none(), "{what}");
        assert_same_bits(&download(gpu, &there), a, what);
        if a.cols() == n {
            let mut there = upload(gpu, a);
            assert!(!gpu.cholesky_block(there.as_mut()), "{what}");
            assert_same_bits(&download(gpu, &there), a, what);
        }
    }
    let lu = Lu::new(gpu.clone(), upload(gpu, &cases[0].1)).expect("regular");
    let (lower, upper) = lu.triangles().expect("factors");
    let wide = Bits::new(900).unwrap();
    let mut moved = upload(gpu, &cases[0].1);
    gpu.swap_rows(moved.as_mut(), lu.pivots(), Order::Forward);
    let moved = widened(&download(gpu, &moved), wide);
    let (product, size) = (
        product(&widened(&lower, wide), &widened(&upper, wide)),
        product(&magnitudes(&widened(&lower, wide)), &magnitudes(&widened(&upper, wide))),
    );
    // The bound of `Lu`.
    let factor = Mp::from_f64(wide, 2.1 * n as f64 + 8.0);
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let error = (moved.at(i, j) - product.at(i, j)).abs();
        assert!(error <= (factor * size.at(i, j)).ldexp(-424), "({i}, {j})");
    }
}

/// Blocks one after the other, with work of the last one beside the next: the same every time.
#[test]
#[ignore = "needs a GPU"]
fn matrices_of_several_blocks_multiply_to_themselves() {
    let gpu = &gpu();
    let (bits, n) = (106, 1100);
    let format = Bits::new(bits).unwrap();
    let wide = Bits::new(2 * bits + 64).unwrap();
    let a = random_matrix::<Mp>(format, n, n, 41);
    let mut first: Option<Matrix> = None;
    for _ in 0..3 {
        let lu = Lu::new(gpu.clone(), upload(gpu, &a)).expect("regular");
        let (lower, upper) = lu.triangles().expect("factors");
        let mut moved = upload(gpu, &a);
        gpu.swap_rows(moved.as_mut(), lu.pivots(), Order::Forward);
        let moved = widened(&download(gpu, &moved), wide);
        for op in [Transpose::No, Transpose::Yes] {
            let b = random_matrix::<Mp>(format, n, 3, 43);
            let mut x = upload(gpu, &b);
            lu.solve_in_place(op, x.as_mut()).expect("shapes fit");
            let x = widened(&download(gpu, &x), wide);
            let a = Matrix::from_fn_in(wide, n, n, |i, j| {
                let (i, j) = if op == Transpose::No { (i, j) } else { (j, i) };
                a.at(i, j).view().to_mp(wide)
            });
            let residual = product(&a, &x);
            let sizes = product(&magnitudes(&a), &magnitudes(&x));
            for (i, j) in (0..n).flat_map(|i| (0..3).map(move |j| (i, j))) {
                let error = (residual.at(i, j) - b.at(i, j).view().to_mp(wide)).abs();
                // Far below the bound of a solution, n·u·|L||U||x|.
                let allowed =
                    (Mp::from_f64(wide, 3.0 * n as f64) * sizes.at(i, j)).ldexp(4 - bits as i32);
                assert!(error <= allowed, "{op:?} ({i}, {j})");
            }
        }
        if let Some(first) = &first {
            assert_same_bits(&upper, first, "again");
            continue;
        }
        let (left, right) = (widened(&lower, wide), widened(&upper, wide));
        // The bound of `Lu`.
        check_product((bits, 2.1 * n as f64 + 8.0), &moved, &left, &right, "LU");
        first = Some(upper);
    }
    let definite = definite(format, n, n, 42);
    let cholesky = Cholesky::new(gpu.clone(), upload(gpu, &definite)).expect("definite");
    let lower = widened(&cholesky.lower().expect("a factor"), wide);
    let upper = Matrix::from_fn_in(wide, n, n, |i, j| lower.at(j, i));
    let definite = Matrix::from_fn_in(wide, n, n, |i, j| {
        let (i, j) = (i.max(j), i.min(j));
        definite.at(i, j).view().to_mp(wide)
    });
    check_product((bits, 2.1 * n as f64 + 8.0), &definite, &lower, &upper, "Cholesky");
}

/// A block for which memory lacks is left to panels, and the backend goes on.
#[test]
#[ignore = "needs a GPU"]
#[allow(unsafe_code)]
fn blocks_without_memory_are_left_to_panels() {
    let gpu = &gpu();
    let (bits, n) = (Bits::new(424).unwrap(), 64);
    let a = definite(bits, n, n, 51);
    let mut there = upload(gpu, &a);
    // All rows are one, which takes no memory; what a block needs beside it does.
    let layout = Layout { rows: 1 << 29, row: 0, ..there.as_mut().layout() };
    // SAFETY: the rectangle lies in a matrix that is borrowed; nobody writes it, for want of
    // memory.
    let rectangle = || unsafe { DeviceMut::<Mp>::of_layout(layout, bits) };
    assert!(gpu.lu_block(rectangle(), &mut [0; 64]).is_none());
    assert!(!gpu.cholesky_block(rectangle()));
    gpu.finish().expect("nothing failed");
    assert_same_bits(&download(gpu, &there), &a, "afterwards");
    lu(gpu, 424, &a, "afterwards");
}
