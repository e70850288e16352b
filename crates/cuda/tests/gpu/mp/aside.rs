//! Blocks of columns that are factored beside other work.

use nonius_cuda::{Cuda, DeviceMatrix};
use nonius_linalg::backend::{Gemm, Memory, Panel, Schedule};
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::{Engine, Products};
use nonius_linalg::mp::{Bits, Matrix, Mp};
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::random_matrix;

use super::{definite, download, upload};
use crate::gpu;

/// `PRODUCTS` products of matrices of order `ORDER`, one after the other.
const ORDER: usize = 1500;
const PRODUCTS: usize = 4;

/// Queues the powers of a matrix, each with rows as large as before.
fn queue_powers(gpu: &Cuda, a: &DeviceMatrix<Mp>, powers: &mut [DeviceMatrix<Mp>]) {
    let (no, small) = (Transpose::No, Mp::ONE.ldexp(-6));
    for i in 0..powers.len() {
        let (before, after) = powers.split_at_mut(i);
        let last = before.last().unwrap_or(a);
        let (left, right) = (last.as_ref(), a.as_ref());
        gpu.queue_gemm(no, no, small, left, right, Mp::ZERO, after[0].as_mut());
    }
}

fn zeros(gpu: &Cuda, bits: Bits) -> Vec<DeviceMatrix<Mp>> {
    (0..PRODUCTS).map(|_| Memory::<Mp>::zeros(gpu, bits, ORDER, ORDER)).collect()
}

fn powers(a: &Matrix) -> Matrix {
    let gpu = &gpu();
    let (there, mut powers) = (upload(gpu, a), zeros(gpu, a.bits()));
    queue_powers(gpu, &there, &mut powers);
    download(gpu, &powers[PRODUCTS - 1])
}

fn factored(gpu: &Cuda, a: &Matrix) -> (Matrix, Vec<usize>) {
    let (mut there, mut pivots) = (upload(gpu, a), vec![0; a.cols()]);
    assert!(gpu.lu_block(there.as_mut(), &mut pivots).is_some());
    (download(gpu, &there), pivots)
}

/// Small products of as many kinds as fill the room for tables nearly.
fn fill_tables(gpu: &Cuda) {
    let by_residues = Products { engine: Some(Engine::Crt), ..Products::default() };
    let gpu = &gpu.clone().with_products(by_residues);
    let no = Transpose::No;
    for bits in 64..64 + 60 {
        let bits = Bits::new(bits).unwrap();
        let a = upload(gpu, &random_matrix::<Mp>(bits, 8, 8, 1));
        let mut c = Memory::<Mp>::zeros(gpu, bits, 8, 8);
        gpu.gemm(no, no, Mp::ONE, a.as_ref(), a.as_ref(), Mp::ZERO, c.as_mut());
    }
}

/// Tables of products go for those of others when there are many; work that reads them beside the
/// block comes first.
#[test]
#[ignore = "needs a GPU"]
fn tables_stay_while_work_reads_them() {
    let bits = Bits::new(424).unwrap();
    let a = random_matrix::<Mp>(bits, ORDER, ORDER, 81);
    let block = definite(Bits::new(1000).unwrap(), 200, 128, 82);
    let expected = powers(&a);
    let expected_factors = factored(&gpu(), &block);
    for round in 0..3 {
        let gpu = &gpu();
        let (there, mut powers) = (upload(gpu, &a), zeros(gpu, bits));
        queue_powers(gpu, &there, &mut powers);
        fill_tables(gpu);
        gpu.finish().expect("products");
        let (factors, ()) =
            gpu.join(|| factored(gpu, &block), || queue_powers(gpu, &there, &mut powers));
        let what = format!("round {round}");
        assert_same_bits(&download(gpu, &powers[PRODUCTS - 1]), &expected, &what);
        assert_same_bits(&factors.0, &expected_factors.0, &what);
        assert_eq!(factors.1, expected_factors.1);
    }
}

/// A block in the second part of a join comes after what that part has queued before.
#[test]
#[ignore = "needs a GPU"]
fn blocks_aside_wait_for_what_is_before_them() {
    let bits = Bits::new(424).unwrap();
    let a = random_matrix::<Mp>(bits, ORDER, ORDER, 83);
    let block = definite(bits, 300, 128, 84);
    let expected = powers(&a);
    let expected_factors = factored(&gpu(), &block);
    for round in 0..3 {
        let gpu = &gpu();
        let (there, on_device) = (upload(gpu, &a), upload(gpu, &block));
        let (mut powers, mut more) = (zeros(gpu, bits), zeros(gpu, bits));
        let ((), (factors, pivots)) = gpu.join(
            || queue_powers(gpu, &there, &mut powers),
            || {
                queue_powers(gpu, &there, &mut more);
                let mut copy: DeviceMatrix<Mp> = gpu.copy_of(on_device.as_ref());
                let mut pivots = vec![0; block.cols()];
                let inverse = gpu.lu_block(copy.as_mut(), &mut pivots);
                assert!(inverse.is_some());
                (copy, pivots)
            },
        );
        let what = format!("round {round}");
        assert_same_bits(&download(gpu, &factors), &expected_factors.0, &what);
        assert_eq!(pivots, expected_factors.1, "{what}");
        for powers in [&powers, &more] {
            assert_same_bits(&download(gpu, &powers[PRODUCTS - 1]), &expected, &what);
        }
    }
}
