//! Matrices whose tiles are shared out: results have the bits of one device.

use nonius_comm::dense::{Cargo, Grid, Queue, Ranks, Tiled};
use nonius_comm::{Communicator, Error};
use nonius_linalg::backend::{
    Cpu, Dense, Gemm, Judge, Memory, Panel, Prepare, Rearrange, Schedule, Trsm, View, ViewMut,
};
use nonius_linalg::dense::gemm::{Accuracy, Engine, Products};
use nonius_linalg::dense::{
    Diagonal, Method, Report, Side, Transpose, Triangle, cholesky_in_place, inverse_on, solve_on,
    trsm_on,
};
use nonius_linalg::out_of_core::OutOfCore;
use nonius_linalg::{Matrix, Number};

/// What one rank computes with.
pub(crate) trait Device<T: Cargo>:
    Trsm<T> + Panel<T> + Judge<T> + Rearrange<T> + Prepare<T> + Schedule + Queue<T> + 'static
{
}

impl<T: Cargo, B> Device<T> for B where
    B: Queue<T> + Trsm<T> + Panel<T> + Judge<T> + Rearrange<T> + Prepare<T> + Schedule + 'static
{
}

/// How products are computed.
pub(crate) fn ways() -> [Products; 4] {
    let crt = Products { engine: Some(Engine::Crt), ..Products::default() };
    let normwise = Products { accuracy: Accuracy::Normwise, ..crt };
    [Products::direct(), Products::default(), crt, normwise]
}

/// Everything on processors, for numbers of a kind and matrices of some orders.
pub(crate) fn check<T: Cargo>(
    ranks: &Communicator,
    format: T::Format,
    orders: &[usize],
) -> Result<(), Error> {
    for way in ways() {
        check_on::<T, _>(ranks, &Cpu::new(way), format, orders)?;
        orders.iter().for_each(|&n| panels::<T>(ranks, Cpu::new(way), format, n));
        orders.iter().for_each(|&n| products_on_hosts::<T>(ranks, Cpu::new(way), format, n));
    }
    Ok(())
}

/// Everything, for devices of some kind.
pub(crate) fn check_on<T: Cargo, B: Device<T>>(
    ranks: &Communicator,
    one: &B,
    format: T::Format,
    orders: &[usize],
) -> Result<(), Error> {
    check_between::<T, B, B>(ranks, one, one, format, orders)
}

/// Everything, for ranks that compute with `local` in place of the single device.
pub(crate) fn check_between<T: Cargo, A: Dense<T>, B: Device<T>>(
    ranks: &Communicator,
    one: &A,
    local: &B,
    format: T::Format,
    orders: &[usize],
) -> Result<(), Error> {
    for (tile, grid) in [(3, Grid::new(ranks, 3)), (32, Grid::tall(ranks, 32))] {
        let tiled = Ranks::new(grid, local.clone()).expect("all ranks are there");
        // Small tiles make many of large matrices.
        for &n in orders.iter().filter(|&&n| n < 15 * tile) {
            memory::<T, B>(&tiled, format, n);
            lower_triangles::<T, B>(&tiled, format, n);
            for spread in [0, 300] {
                products_everywhere(&tiled, one, Entries { format, spread }, n);
            }
            algorithms::<T, _, _>(&tiled, one, format, n);
        }
    }
    ranks.barrier()
}

/// Systems of so many unknowns that factorisations halve their columns.
pub(crate) fn check_systems<T: Cargo, B: Device<T>>(
    ranks: &Communicator,
    one: &B,
    format: T::Format,
    n: usize,
) -> Result<(), Error> {
    for grid in [Grid::new(ranks, n / 9), Grid::tall(ranks, n / 7)] {
        let tiled = Ranks::new(grid, one.clone()).expect("all ranks are there");
        let tall = tiled.for_cholesky();
        let (rows, cols) = tall.grid().shape();
        assert!(rows >= cols && rows * cols == ranks.size(), "{rows} × {cols}");
        systems::<T, _, _>(&tiled, one, format, n, [&[Method::Lu], &[Method::Cholesky]]);
    }
    ranks.barrier()
}

/// On a processor that has memory for some lines of a matrix alone.
pub(crate) fn check_out_of_core<T: Cargo>(
    ranks: &Communicator,
    format: T::Format,
    orders: &[usize],
) -> Result<(), Error> {
    // By default small products are direct.
    let [_, default, crt, _] = ways();
    for way in [default, crt] {
        let cpu = Cpu::new(way);
        for &n in orders {
            for lines in [12, 60] {
                let small = OutOfCore::new(cpu, lines * n * 8 * T::words_of(format));
                if ranks.size() == 1 {
                    algorithms::<T, _, _>(&small, &cpu, format, n);
                }
                check_between::<T, _, _>(ranks, &cpu, &small, format, &[n])?;
            }
        }
    }
    Ok(())
}

/// What several devices, or one in its own way, make of matrices that one device has.
pub(crate) fn algorithms<T: Cargo, A: Dense<T>, B: Dense<T>>(
    tiled: &B,
    one: &A,
    format: T::Format,
    n: usize,
) {
    for spread in [0, 300] {
        products(tiled, one, Entries { format, spread }, n);
    }
    triangles::<T, _, _>(tiled, one, format, n);
    let methods: [&[_]; 2] =
        [&[Method::Lu, Method::GaussJordan, Method::Auto], &[Method::Cholesky, Method::Auto]];
    systems::<T, _, _>(tiled, one, format, n, methods);
}

/// Matrices whose entries have exponents that spread.
#[derive(Clone, Copy)]
struct Entries<T: Number> {
    format: T::Format,
    spread: i32,
}

impl<T: Number> Entries<T> {
    fn matrix(self, rows: usize, cols: usize, seed: u64) -> Matrix<T> {
        let plain = matrix::<T>(self.format, rows, cols, seed);
        let exponent = |i: usize, j: usize| (i * 7 + j * 5) as i32 % 4 * self.spread / 3;
        Matrix::from_fn_in(self.format, rows, cols, |i, j| plain.at(i, j).ldexp(-exponent(i, j)))
    }
}

/// What one device makes of a matrix.
fn alone<T: Cargo, B: Dense<T>>(
    one: &B,
    start: &Matrix<T>,
    work: impl FnOnce(B::Mut<'_>),
) -> Matrix<T> {
    let mut there = one.upload(start.view());
    work(one.view_mut(&mut there));
    one.download(one.view(&there)).expect("one device")
}

/// Entries that look random, the same on every rank.
fn matrix<T: Number>(format: T::Format, rows: usize, cols: usize, seed: u64) -> Matrix<T> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        // xorshift, G. Marsaglia, Journal of Statistical Software 8, 2003.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        T::from_f64((state >> 11) as f64 * 2.0_f64.powi(-52) - 1.0).to_format(format)
    };
    Matrix::from_fn_in(format, rows, cols, |_, _| {
        let (x, y) = (next(), next());
        x + y.ldexp(-60)
    })
}

fn same<T: Cargo>(found: &Matrix<T>, expected: &Matrix<T>, what: &str) {
    assert_eq!(found.shape(), expected.shape(), "{what}");
    for j in 0..expected.cols() {
        for i in 0..expected.rows() {
            let [x, y] = [found, expected].map(|matrix| {
                let mut words = Vec::new();
                T::pack(matrix.column(j).range(i..i + 1), &mut words);
                words
            });
            assert_eq!(x, y, "{what}: ({i}, {j}) of {:?}", found.shape());
        }
    }
}

/// What is uploaded, made and copied comes back, blocks of it too.
fn memory<T: Cargo, B: Device<T>>(tiled: &Ranks<B>, format: T::Format, n: usize) {
    let a = matrix::<T>(format, n, n + 3, 1);
    let there = tiled.upload(a.view());
    let view = tiled.view(&there);
    same(&tiled.download(view).unwrap(), &a, "upload");
    let (row, col, rows, cols) = (n / 3, n / 2, n - n / 3, n - n / 2);
    let block = view.block(row, col, rows, cols);
    let expected = a.view().block(row, col, rows, cols).to_matrix();
    same(&tiled.download(block).unwrap(), &expected, "a block");
    let made = tiled.from_fn(format, n, n + 3, |i, j| a.at(i, j)).unwrap();
    same(&tiled.download(tiled.view(&made)).unwrap(), &a, "entries of a function");
    let copy = tiled.copy_of(block);
    same(&tiled.download(tiled.view(&copy)).unwrap(), &expected, "a copy");
    let mut zeros: Tiled<T, B> = tiled.zeros(format, rows + 2, cols + 1);
    let (_, right) = tiled.view_mut(&mut zeros).split_cols(1);
    tiled.copy(block, right.block_mut(2, 0, rows, cols));
    let mut placed = Matrix::zeros_in(format, rows + 2, cols + 1);
    for j in 0..cols {
        (0..rows).for_each(|i| placed.set(i + 2, j + 1, expected.at(i, j)));
    }
    same(&tiled.download(tiled.view(&zeros)).unwrap(), &placed, "a copy into zeros");
    let ones: Tiled<T, B> = tiled.identity(format, n, n + 2);
    let expected = Cpu::default().identity(format, n, n + 2);
    same(&tiled.download(tiled.view(&ones)).unwrap(), &expected, "ones");
}

/// Columns that ranks have in any order become tiles, with more on the diagonal afterwards.
fn lower_triangles<T: Cargo, B: Device<T>>(tiled: &Ranks<B>, format: T::Format, n: usize) {
    let a = matrix::<T>(format, n, n, 11);
    let (ranks, size) = (tiled.grid().ranks(), tiled.grid().ranks().size());
    let owners: Vec<usize> = (0..n).map(|j| j * j % 7 % size).collect();
    let mine = (0..n).filter(|&j| owners[j] == ranks.rank());
    let column = |j: usize| Matrix::from_fn_in(format, n - j, 1, |i, _| a.at(i + j, j));
    let mine: Vec<_> = mine.map(|j| column(j).numbers().clone()).collect();
    let mut there = tiled.try_zeros::<T>(format, n, n).unwrap();
    let mut expected = Matrix::zeros_in(format, n, n);
    same(&tiled.download(tiled.view(&there)).unwrap(), &expected, "zeros");
    for _ in 0..2 {
        tiled.fill_lower(&owners, &mine, &mut there).unwrap();
        (0..n).for_each(|j| (j..n).for_each(|i| expected.set(i, j, a.at(i, j))));
        same(&tiled.download(tiled.view(&there)).unwrap(), &expected, "a lower triangle");
        let more = a.column(n - 1);
        tiled.add_to_diagonal(more, &mut there).unwrap();
        (0..n).for_each(|i| expected.set(i, i, expected.at(i, i) + more.at(i)));
        same(&tiled.download(tiled.view(&there)).unwrap(), &expected, "a diagonal");
    }
}

fn products<T: Cargo, A: Dense<T>, B: Dense<T>>(tiled: &B, one: &A, entries: Entries<T>, n: usize) {
    let (m, k) = (n + 5, n / 2 + 1);
    let [alpha, beta] = [0.75, -1.25].map(T::from_f64);
    for transposes in [(false, false), (true, false), (false, true), (true, true)] {
        let op = |yes: bool| if yes { Transpose::Yes } else { Transpose::No };
        let (op_a, op_b) = (op(transposes.0), op(transposes.1));
        let (a_rows, a_cols) = op_a.shape((m, k));
        let (b_rows, b_cols) = op_b.shape((k, n));
        let (a, b) = (entries.matrix(a_rows, a_cols, 2), entries.matrix(b_rows, b_cols, 3));
        let c = entries.matrix(m, n, 4);
        for queued in [false, true] {
            let expected = alone(one, &c, |c| {
                let (a, b) = (one.upload(a.view()), one.upload(b.view()));
                multiply(one, queued, (op_a, one.view(&a)), (op_b, one.view(&b)), [alpha, beta], c);
            });
            let (a, b) = (tiled.upload(a.view()), tiled.upload(b.view()));
            let mut there = tiled.upload(c.view());
            let (a, b) = (tiled.view(&a), tiled.view(&b));
            let to = tiled.view_mut(&mut there);
            multiply(tiled, queued, (op_a, a), (op_b, b), [alpha, beta], to);
            same(&tiled.download(tiled.view(&there)).unwrap(), &expected, "a product");
        }
    }
    for triangle in [Triangle::Lower, Triangle::Upper] {
        for (op, rows, cols) in [(Transpose::No, m, k), (Transpose::Yes, k, m)] {
            let (a, c) = (entries.matrix(rows, cols, 5), entries.matrix(m, n, 6));
            let expected = alone(one, &c, |c| {
                let a = one.upload(a.view());
                one.syrk(triangle, op, alpha, one.view(&a), beta, c);
            });
            let (a, mut c) = (tiled.upload(a.view()), tiled.upload(c.view()));
            tiled.syrk(triangle, op, alpha, tiled.view(&a), beta, tiled.view_mut(&mut c));
            same(&tiled.download(tiled.view(&c)).unwrap(), &expected, "a triangle of a product");
        }
    }
}

/// Products of matrices that every rank has.
fn products_everywhere<T: Cargo, A: Dense<T>, B: Device<T>>(
    tiled: &Ranks<B>,
    one: &A,
    entries: Entries<T>,
    n: usize,
) {
    let (no, local) = (Transpose::No, tiled.local());
    let (a, b) = (entries.matrix(n, n + 2, 3), entries.matrix(n + 2, n + 1, 4));
    let c = matrix::<T>(entries.format, n, n + 1, 5);
    let [alpha, beta] = [-0.75, 0.5].map(T::from_f64);
    for beta in [T::ZERO, beta] {
        let expected = alone(one, &c, |c| {
            let [a, b] = [&a, &b].map(|x| one.upload(x.view()));
            one.queue_gemm(no, no, alpha, one.view(&a), one.view(&b), beta, c);
        });
        let [a, b] = [&a, &b].map(|x| local.upload(x.view()));
        let mut found = local.upload(c.view());
        tiled.queue_gemm_everywhere(alpha, local.view(&a), local.view(&b), beta, &mut found);
        same(&local.download(local.view(&found)).unwrap(), &expected, "columns of ranks");
    }
    let square = matrix::<T>(entries.format, n + 2, n + 2, 6);
    let expected = alone(one, &square, |c| {
        let a = one.upload(a.view());
        one.syrk(Triangle::Lower, Transpose::Yes, T::ONE, one.view(&a), T::ZERO, c);
    });
    let (a, mut found) = (local.upload(a.view()), local.upload(square.view()));
    tiled.queue_gram_everywhere(local.view(&a), &mut found);
    let found = local.download(local.view(&found)).unwrap();
    let lower = |x: &Matrix<T>| {
        let zero = T::ZERO.to_format(entries.format);
        Matrix::from_fn_in(
            entries.format,
            n + 2,
            n + 2,
            |i, j| if i < j { zero } else { x.at(i, j) },
        )
    };
    same(&lower(&found), &lower(&expected), "a triangle by columns of ranks");
}

/// Products of matrices that every rank has: wide ones, tall ones, and such with fewer tiles than
/// there are ranks.
fn products_on_hosts<T: Cargo>(ranks: &Communicator, cpu: Cpu, format: T::Format, n: usize) {
    let scalars = [0.75, -1.25].map(T::from_f64);
    for (spread, tile) in [(0, 3), (300, 32)] {
        let tiled = Ranks::new(Grid::new(ranks, tile), cpu).expect("all ranks are there");
        let entries = Entries { format, spread };
        for (m, k, n) in [(n, n / 2 + 1, 2 * n), (n + 5, n, n / 3 + 1), (n, 0, n), (0, n, n)] {
            for (op_a, op_b) in [(Transpose::No, Transpose::Yes), (Transpose::Yes, Transpose::No)] {
                let ((a_rows, a_cols), (b_rows, b_cols)) = (op_a.shape((m, k)), op_b.shape((k, n)));
                let (a, b) = (entries.matrix(a_rows, a_cols, 2), entries.matrix(b_rows, b_cols, 3));
                let (a, b) = ((op_a, a.view()), (op_b, b.view()));
                let c = entries.matrix(m, n, 4);
                let expected = alone(&cpu, &c, |c| multiply(&cpu, false, a, b, scalars, c));
                let mut found = c.clone();
                tiled.multiply_on_hosts(scalars, a, b, &mut found).unwrap();
                same(&found, &expected, "a product on hosts");
            }
        }
        let (a, mut c) = (entries.matrix(n, n, 2), entries.matrix(n, n + 1, 4));
        let (op, before) = (Transpose::No, c.clone());
        let refused = tiled.multiply_on_hosts(scalars, (op, a.view()), (op, a.view()), &mut c);
        assert!(matches!(refused, Err(nonius_linalg::Error::Shape { .. })), "{refused:?}");
        same(&c, &before, "what was refused");
    }
}

fn multiply<T: Number, B: Gemm<T>>(
    on: &B,
    queued: bool,
    (op_a, a): (Transpose, B::Ref<'_>),
    (op_b, b): (Transpose, B::Ref<'_>),
    [alpha, beta]: [T; 2],
    c: B::Mut<'_>,
) {
    if queued {
        on.queue_gemm(op_a, op_b, alpha, a, b, beta, c);
    } else {
        on.gemm(op_a, op_b, alpha, a, b, beta, c);
    }
}

fn triangles<T: Cargo, A: Dense<T>, B: Dense<T>>(tiled: &B, one: &A, format: T::Format, n: usize) {
    let mut a = matrix::<T>(format, n, n, 7);
    (0..n).for_each(|i| a.set(i, i, T::from_f64(n as f64 + 1.0) + a.at(i, i)));
    for (side, rows, cols) in [(Side::Left, n, 9), (Side::Right, 11, n)] {
        let b = matrix::<T>(format, rows, cols, 8);
        for triangle in [Triangle::Lower, Triangle::Upper] {
            for op in [Transpose::No, Transpose::Yes] {
                let diagonal = Diagonal::NonUnit;
                let expected = alone(one, &b, |b| {
                    let a = one.upload(a.view());
                    trsm_on(one, side, triangle, op, diagonal, T::ONE, one.view(&a), b).unwrap();
                });
                let (there, mut x) = (tiled.upload(a.view()), tiled.upload(b.view()));
                let (there, to) = (tiled.view(&there), tiled.view_mut(&mut x));
                trsm_on(tiled, side, triangle, op, diagonal, T::ONE, there, to).unwrap();
                same(&tiled.download(tiled.view(&x)).unwrap(), &expected, "a triangular system");
            }
        }
    }
}

/// Systems with a general and with a definite matrix, each by some methods.
fn systems<T: Cargo, A: Dense<T>, B: Dense<T>>(
    tiled: &B,
    one: &A,
    format: T::Format,
    n: usize,
    methods: [&[Method]; 2],
) {
    let general = matrix::<T>(format, n, n, 9);
    let definite = definite(&general);
    let b = matrix::<T>(format, n, 3, 10);
    let tasks = [&general, &definite].into_iter().zip(methods);
    for (a, method) in tasks.flat_map(|(a, methods)| methods.iter().map(move |&m| (a, m))) {
        let expected = solve_on(one.clone(), a.view(), b.view(), method).unwrap();
        let found = solve_on(tiled.clone(), a.view(), b.view(), method).unwrap();
        same(&found.x, &expected.x, method.name());
        same_reports(&found.report, &expected.report);
    }
    for a in [&general, &definite] {
        let expected = inverse_on(one.clone(), a.view()).unwrap();
        let found = inverse_on(tiled.clone(), a.view()).unwrap();
        same(&found.x, &expected.x, "an inverse");
        same_reports(&found.report, &expected.report);
    }
    // Errors are those of one device, on every rank.
    let zeros = Matrix::<T>::zeros_in(format, n, n);
    for method in [Method::Lu, Method::Cholesky] {
        let expected = solve_on(one.clone(), zeros.view(), b.view(), method).unwrap_err();
        let found = solve_on(tiled.clone(), zeros.view(), b.view(), method).unwrap_err();
        assert_eq!(found, expected);
    }
    let expected = inverse_on(one.clone(), zeros.view()).unwrap_err();
    assert_eq!(inverse_on(tiled.clone(), zeros.view()).unwrap_err(), expected);
}

fn same_reports(found: &Report, expected: &Report) {
    assert_eq!(found.method, expected.method);
    assert_eq!(found.rejected, expected.rejected);
    assert_eq!(found.relative_residual, expected.relative_residual);
    assert_eq!(found.condition_estimate, expected.condition_estimate);
    assert_eq!(found.forward_error_estimate, expected.forward_error_estimate);
}

fn definite<T: Number>(general: &Matrix<T>) -> Matrix<T> {
    let n = general.rows();
    let mut definite = Matrix::zeros_in(general.format(), n, n);
    let (yes, no, view) = (Transpose::Yes, Transpose::No, general.view());
    Cpu::default().gemm(yes, no, T::ONE, view, view, T::ZERO, definite.view_mut());
    for i in 0..n {
        (0..i).for_each(|j| definite.set(j, i, definite.at(i, j)));
        definite.set(i, i, definite.at(i, i) + T::ONE);
    }
    definite
}

/// One right-hand side, and a factor by panels of as many unknowns as a processor finds at a time.
fn panels<T: Cargo>(ranks: &Communicator, cpu: Cpu, format: T::Format, n: usize) {
    let tiled = Ranks::new(Grid::new(ranks, 32), cpu).expect("all ranks are there");
    let mut factor = definite(&matrix::<T>(format, n, n, 9));
    cholesky_in_place(&cpu, factor.view_mut()).unwrap();
    let tiles = tiled.upload(factor.view());
    let panels = tiled.panels(&tiles, T::BLOCKING.substitution).unwrap();
    let mut expected = matrix::<T>(format, n, 1, 10);
    let mut found = expected.clone();
    for op in [Transpose::No, Transpose::Yes] {
        let (left, lower) = (Side::Left, Triangle::Lower);
        let (factor, to) = (factor.view(), expected.view_mut());
        trsm_on(&cpu, left, lower, op, Diagonal::NonUnit, T::ONE, factor, to).unwrap();
        tiled.solve_panels(&panels, op, found.numbers_mut()).unwrap();
        same(&found, &expected, "a system by panels");
    }
}
