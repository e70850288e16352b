//! Every elementwise operation gives the bits that it gives on the host.

use nonius_linalg::BinaryOp;
use nonius_linalg::backend::{Elementwise, Memory};
use nonius_linalg::dense::Operand;
use nonius_num::{Dd, Mp, Qd, Td};
use nonius_testkit::Sample;
use nonius_testkit::elementwise::{arithmetic, functions, same_number};

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

/// A chain leaves its first operand but for the last bit, which the results have flipped.
#[test]
#[ignore = "needs a GPU"]
fn a_chain_ends() {
    let gpu = gpu();
    let host = nonius_linalg::Matrix::from_fn(1000, 1, |i, _| Dd::from(1.0 + i as f64));
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
