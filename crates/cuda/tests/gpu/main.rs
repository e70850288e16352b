//! What has to hold on a GPU. Tests are ignored unless they are asked for: `cargo test --test gpu -- --ignored`.

/// Tests of a function at each precision, in a module of the function's name.
macro_rules! at_every_precision {
    ($function:ident) => {
        mod $function {
            use super::$function as test;

            #[test]
            #[ignore = "needs a GPU"]
            fn f64() {
                test::<f64>();
            }

            #[test]
            #[ignore = "needs a GPU"]
            fn dd() {
                test::<nonius_num::Dd>();
            }

            #[test]
            #[ignore = "needs a GPU"]
            fn td() {
                test::<nonius_num::Td>();
            }

            #[test]
            #[ignore = "needs a GPU"]
            fn qd() {
                test::<nonius_num::Qd>();
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

/// The first GPU, with a backend of its own for each test.
fn gpu() -> Cuda {
    static DEVICE: OnceLock<Device> = OnceLock::new();
    let device = DEVICE.get_or_init(|| Device::new(0).expect("a GPU"));
    Cuda::new(device).expect("a stream")
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
