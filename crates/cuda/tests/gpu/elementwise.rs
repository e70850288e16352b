//! Every elementwise operation gives the bits that it gives on the host.

use nonius_linalg::backend::{Elementwise, Memory};
use nonius_linalg::dense::Operand;
use nonius_linalg::{BinaryOp, Matrix};
use nonius_num::mp::Head;
use nonius_num::{Dd, Mp, Qd, Td};
use nonius_testkit::Sample;
use nonius_testkit::elementwise::{arithmetic, functions, same_number};
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::random_matrix;

use crate::{bits, gpu};

fn gives_the_bits_of_the_host<T: Sample>(format: T::Format) {
    let gpu = gpu();
    arithmetic::<T, _>(&gpu, format, same_number);
    functions::<T, _>(&gpu, format, same_number);
}

/// Elementary functions at f64 are the compiler's, whose last bits are not those of the host's.
#[test]
#[ignore = "needs a GPU"]
fn f64() {
    let gpu = gpu();
    arithmetic::<f64, _>(&gpu, (), same_number);
    functions(&gpu, (), |found: f64, expected: f64| {
        let units = 4.0 * (f64::EPSILON * expected.abs() + f64::from_bits(1));
        // Beyond the largest number there is only infinity.
        let overflows = found.is_infinite() && found * expected > 0.0;
        let at_the_limit = overflows && expected.abs() >= f64::MAX * (1.0 - 4.0 * f64::EPSILON);
        same_number(found, expected) || (found - expected).abs() <= units || at_the_limit
    });
}

tests! {
    dd gives_the_bits_of_the_host::<Dd>(());
    td gives_the_bits_of_the_host::<Td>(());
    qd gives_the_bits_of_the_host::<Qd>(());
    mp106 gives_the_bits_of_the_host::<Mp>(bits(106));
    mp424 gives_the_bits_of_the_host::<Mp>(bits(424));
    mp1000 gives_the_bits_of_the_host::<Mp>(bits(1000));
    mp2048 gives_the_bits_of_the_host::<Mp>(bits(2048));
    mp3072 gives_the_bits_of_the_host::<Mp>(bits(3072));
    mp4096 gives_the_bits_of_the_host::<Mp>(bits(4096));
}

/// Products that rounding brings into the range, or out of it.
#[test]
#[ignore = "needs a GPU"]
fn products_at_the_ends_of_the_range() {
    let gpu = gpu();
    for bits in [64, 106, 424].map(bits) {
        let ends = [Head::LEAST_EXPONENT, Head::GREATEST_EXPONENT];
        let x = random_matrix::<Mp>(bits, 500, 20, 1);
        // A product near 1, which is below it as often as not.
        let y = Matrix::from_fn_in(bits, 500, 20, |i, j| Mp::one(bits) / x.at(i, j));
        let place = |x: &Matrix<Mp>, at: &dyn Fn(usize) -> i32| {
            Matrix::from_fn_in(bits, 500, 20, |i, j| {
                x.at(i, j).ldexp(at(j) - x.at(i, j).head().code())
            })
        };
        let x = place(&x, &|j| ends[j % 2] / 2);
        let y = place(&y, &|j| ends[j % 2] / 2 + j as i32 / 2 - 5);
        let [left, right] = [&x, &y].map(|x| gpu.upload(x.view()));
        let mut to = Memory::<Mp>::zeros(&gpu, bits, 500, 20);
        let operands = [Operand::Entries(left.as_ref()), Operand::Entries(right.as_ref())];
        gpu.elementwise(BinaryOp::Mul, operands, to.as_mut());
        let found = gpu.download(to.as_ref()).expect("a download");
        let expected = Matrix::from_fn_in(bits, 500, 20, |i, j| x.at(i, j) * y.at(i, j));
        assert_same_bits(&found, &expected, &format!("{bits} bits"));
    }
}

/// A chain leaves its first operand but for the last bit, which the results have flipped.
#[test]
#[ignore = "needs a GPU"]
fn a_chain_ends() {
    let gpu = gpu();
    let host = Matrix::from_fn(1000, 1, |i, _| Dd::from(1.0 + i as f64));
    let x = gpu.upload(host.view());
    let mut z = gpu.zeros::<Dd>(1000, 1);
    let operands = [Operand::Entries(x.as_ref()), Operand::Scalar(Dd::from(3.0))];
    gpu.elementwise_chain(BinaryOp::Div, operands, z.as_mut(), 100);
    let found = gpu.download(z.as_ref()).expect("a download");
    for (&found, &x) in found.as_slice().iter().zip(host.as_slice()) {
        assert!((found - x).abs() <= x * f64::EPSILON);
    }
    gpu.elementwise(BinaryOp::Sub, [Operand::Output, Operand::Output], z.as_mut());
    let found = gpu.download(z.as_ref()).expect("a download");
    assert!(found.as_slice().iter().all(|&x| x == Dd::from(0.0)));
}
