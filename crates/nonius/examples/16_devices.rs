//! List the GPUs and let the library choose the device. The report says where the library computed,
//! and why. The program needs no GPU.
//!
//! `cargo run --release -p nonius --example 16_devices`

use std::error::Error;

use nonius::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let mut devices = vec![Device::Auto, Device::Cpu];
    match Device::gpus() {
        Ok(gpus) => {
            for gpu in gpus {
                let gigabytes = gpu.memory / 1_000_000_000;
                println!("GPU             cuda:{} {}, {gigabytes} GB", gpu.ordinal, gpu.name);
                devices.push(Device::Cuda(gpu.ordinal));
            }
        }
        Err(reason) => println!("GPU             none: {reason}"),
    }

    // All entries of the inverse of this Hilbert matrix are integers, and the first is 64.
    let a = Matrix::from_fn(8, 8, |i, j| Qd::ONE / Qd::from((i + j + 1) as f64));
    for device in devices {
        let (x, report) = Inverse::new(&a).device(device).run()?;
        let place = &report.place;
        println!("{:15} on {}: {}", device.to_string(), place.device, place.reason);
        println!("first entry     {:.40}", x[(0, 0)]);
        // `parse` reads the name of a device, as an option of a program may have it.
        assert_eq!(place.device.to_string().parse(), Ok(place.device));
        assert_ne!(place.device, Device::Auto);
        assert!(device != Device::Auto || place.device == Device::Cpu, "a short job stays");
        assert!((x[(0, 0)] - 64.0).abs().to_f64() < 1e-45);
    }
    Ok(())
}
