//! What has to hold on a GPU. Tests are ignored unless they are asked for:
//! `cargo test --test gpu -- --ignored`.

/// A test of each name that does something.
macro_rules! tests {
    ($($name:ident $work:expr;)*) => {$(
        #[test]
        #[ignore = "needs a GPU"]
        fn $name() {
            $work
        }
    )*};
}

/// Tests of a function with numbers of each fixed precision, in a module of the function's name.
macro_rules! at_every_width {
    ($function:ident) => {
        mod $function {
            use super::$function as test;

            tests! {
                f64 test::<f64>();
                dd test::<nonius_num::Dd>();
                td test::<nonius_num::Td>();
                qd test::<nonius_num::Qd>();
            }
        }
    };
}

/// Tests of a function of a format with each kind of numbers, in a module of the function's name.
macro_rules! at_every_precision {
    ($function:ident) => {
        mod $function {
            use super::$function as test;
            use crate::bits;

            tests! {
                f64 test::<f64>(());
                dd test::<nonius_num::Dd>(());
                td test::<nonius_num::Td>(());
                qd test::<nonius_num::Qd>(());
                mp106 test::<nonius_num::Mp>(bits(106));
                mp424 test::<nonius_num::Mp>(bits(424));
                mp1000 test::<nonius_num::Mp>(bits(1000));
                mp2048 test::<nonius_num::Mp>(bits(2048));
                // Digits lie in memory, and sums in numbers of 4096 bits are as good as exact.
                mp3072 test::<nonius_num::Mp>(bits(3072));
            }
        }
    };
}

mod certified;
mod converted;
mod dense;
mod elementwise;
mod memory;
mod mp;
mod residues;
mod rns;
mod space;
mod tridiag;
mod vectors;

use std::sync::OnceLock;

use nonius_cuda::{Cuda, Device, DeviceInfo};
use nonius_linalg::mp::Bits;

/// The first GPU, with a backend of its own for each test.
fn gpu() -> Cuda {
    static DEVICE: OnceLock<Device> = OnceLock::new();
    let device = DEVICE.get_or_init(|| Device::new(0).expect("a GPU"));
    Cuda::new(device).expect("a stream")
}

fn bits(n: u32) -> Bits {
    Bits::new(n).expect("a number of bits")
}

#[test]
#[ignore = "needs a GPU"]
fn devices_have_names_and_memory() {
    let gpu = gpu();
    let all = DeviceInfo::all().expect("devices");
    assert_eq!(&all[0], gpu.device().info());
    for (ordinal, info) in all.iter().enumerate() {
        assert_eq!(info.ordinal, ordinal);
        assert!(!info.name.is_empty() && info.memory > 1 << 28 && info.multiprocessors > 0);
    }
    let (free, total) = gpu.device().memory().expect("memory");
    assert!(free <= total && total <= all[0].memory);
    let error = Device::new(all.len()).expect_err("one more than there are");
    assert_eq!(error, nonius_cuda::Error::NoSuchDevice { ordinal: all.len(), count: all.len() });
}
