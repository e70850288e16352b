//! Matrices made and moved.

use nonius_cuda::{Cuda, Transfer};
use nonius_linalg::backend::{Elementwise, Memory, View, ViewMut};
use nonius_linalg::dense::{Operand, elementwise};
use nonius_linalg::mp::{Bits, Matrix, Mp};
use nonius_linalg::{BinaryOp, TernaryOp, UnaryOp};

use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::random_matrix;

use crate::gpu;

const PRECISIONS: [u32; 4] = [64, 106, 424, 1000];

#[test]
#[ignore = "needs a GPU"]
fn matrices_come_back_as_they_went() {
    let ways = [Transfer::Synchronous, Transfer::Asynchronous, Transfer::Mapped];
    for (bits, way) in PRECISIONS.into_iter().flat_map(|bits| ways.map(|way| (bits, way))) {
        let (bits, gpu) = (Bits::new(bits).unwrap(), gpu().with_transfer(way));
        for (rows, cols) in [(0, 3), (1, 1), (37, 70), (1000, 130)] {
            let a = random_matrix::<Mp>(bits, rows, cols, 1);
            let there = gpu.upload(a.view());
            assert_same_bits(&gpu.download(there.as_ref()).unwrap(), &a, "a round trip");
            if rows < 2 {
                continue;
            }
            let (row, col, height, width) = (1, cols / 3, rows - 1, cols / 2);
            let part = a.view().block(row, col, height, width);
            let uploaded = gpu.upload(part);
            let block = there.as_ref().block(row, col, height, width);
            let copied = gpu.copy_of(block);
            for found in [uploaded.as_ref(), block, copied.as_ref()] {
                assert_same_bits(&gpu.download(found).unwrap(), &part.to_matrix(), "a part");
            }
            let mut host = a.clone();
            let mut changed = gpu.upload(a.view());
            gpu.copy(copied.as_ref(), changed.as_mut().block_mut(0, 0, height, width));
            host.view_mut().block_mut(0, 0, height, width).copy_from(part);
            assert_same_bits(&gpu.download(changed.as_ref()).unwrap(), &host, "a copied part");
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn zeros_and_identities_are_made_there() {
    for (bits, rows, cols) in [(64, 0, 3), (106, 1, 1), (1000, 300, 70), (4096, 3, 5)] {
        let (bits, gpu) = (Bits::new(bits).unwrap(), gpu());
        let zeros = Memory::<Mp>::zeros(&gpu, bits, rows, cols);
        let found = gpu.download(zeros.as_ref()).unwrap();
        assert_same_bits(&found, &Matrix::zeros_in(bits, rows, cols), "zeros");
        let identity = Memory::<Mp>::identity(&gpu, bits, rows, cols);
        let ones = |i, j| if i == j { Mp::ONE } else { Mp::ZERO };
        let expected = Matrix::from_fn_in(bits, rows, cols, ones);
        assert_same_bits(&gpu.download(identity.as_ref()).unwrap(), &expected, "ones");
    }
}

/// Operations of kernels, and functions, which the host computes.
#[test]
#[ignore = "needs a GPU"]
fn entries_have_the_hosts_bits() {
    for bits in PRECISIONS {
        let (bits, gpu) = (Bits::new(bits).unwrap(), &gpu());
        let (rows, cols) = (70, 9);
        let mut all = [1, 2, 3].map(|seed| random_matrix::<Mp>(bits, rows, cols, seed));
        let odd = [f64::INFINITY, -f64::INFINITY, f64::NAN, 0.0, -0.0, 1.0, -2.0];
        for (k, matrix) in all.iter_mut().enumerate() {
            for i in 0..49 {
                let x = odd[[i % 7, i / 7, i % 5][k]];
                matrix.set(i, 0, Mp::from_f64(bits, x));
            }
            for i in 0..rows {
                matrix.set(i, 1, matrix.at(i, 1).ldexp(i as i32 * 17 - 600));
            }
        }
        for operation in [UnaryOp::Neg, UnaryOp::Abs, UnaryOp::Sqrt, UnaryOp::Exp] {
            check(gpu, operation, [&all[0]]);
        }
        for operation in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div] {
            check(gpu, operation, [&all[0], &all[1]]);
        }
        check(gpu, TernaryOp::MulAdd, [&all[0], &all[1], &all[2]]);
    }
}

fn check<const K: usize>(
    gpu: &Cuda,
    operation: impl nonius_linalg::Operations<K>,
    operands: [&Matrix; K],
) {
    let bits = operands[0].bits();
    let third = Mp::one(bits) / Mp::from_f64(bits, 3.0);
    let on_gpu = operands.map(|x| gpu.upload(x.view()));
    for scalar in [None, Some(third), Some(Mp::ONE), Some(-Mp::ONE), Some(Mp::ZERO)] {
        let (rows, cols) = operands[0].shape();
        let mut expected = Matrix::zeros_in(bits, rows, cols);
        let mut found = Memory::<Mp>::zeros(gpu, bits, rows, cols);
        let mut index = 0;
        let host = operands.map(|x| {
            index += 1;
            match scalar {
                Some(number) if index == K => Operand::Scalar(number),
                _ => Operand::Entries(x.view()),
            }
        });
        index = 0;
        let there = on_gpu.each_ref().map(|x| {
            index += 1;
            match scalar {
                Some(number) if index == K => Operand::Scalar(number),
                _ => Operand::Entries(x.as_ref()),
            }
        });
        elementwise(operation, host, expected.view_mut()).unwrap();
        gpu.elementwise(operation, there, found.as_mut());
        let what = format!("mp{bits} {}, {scalar:?}", operation.name());
        assert_same_bits(&gpu.download(found.as_ref()).unwrap(), &expected, &what);
    }
}
