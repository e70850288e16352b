//! Tasks whose matrices are larger than a device's memory: they have the bits of a device that
//! holds them, and say so.

use nonius_linalg::out_of_core::bytes_of;
use nonius_num::mp::Bits;

use super::{Inverse, Matrix, Method, Multiply, Products, Solve, Transpose};
use crate::{Device, Job, Number, Precision, ranks};

/// Of matrices of some order, on devices with room for so many lines of them.
struct OutOfCore {
    order: usize,
    lines: usize,
    /// The device that holds them, and those that do not.
    one: Device,
    all: Device,
    ranks: &'static [usize],
}

impl OutOfCore {
    /// Does a task with and without the room, and compares; a task also yields whether it was done
    /// out of core.
    fn compare<R: PartialEq + Send + Sync>(
        &self,
        name: &str,
        room: usize,
        task: impl Fn(Device, Option<usize>) -> (R, bool) + Sync,
    ) {
        let (expected, is_out) = task(self.one, None);
        assert!(!is_out, "{}", self.one);
        let (found, is_out) = task(self.one, Some(room));
        assert!(is_out && found == expected, "{name}, {}, {is_out}", self.one);
        for &count in self.ranks {
            let all = ranks::run(count, || Ok::<_, String>(task(self.all, Some(room)))).unwrap();
            for (found, is_out) in all {
                assert!(is_out && found == expected, "{name}, {count} ranks, {is_out}");
            }
        }
    }
}

impl Job for &OutOfCore {
    type Output = ();

    fn run<T: Number>(self, format: T::Format) {
        let n = self.order;
        let number = |x: f64| T::from_f64(x).to_format(format) / T::from_f64(3.0).to_format(format);
        let entry = |i: usize, j: usize| ((7 * i + 5 * j + i * j) % 13) as f64 - 6.0;
        let matrix = |large: f64, entry: &(dyn Fn(usize, usize) -> f64 + Sync)| {
            let shifted = |i, j| number(entry(i, j) + if i == j { large } else { 0.0 });
            Matrix::from_fn_in(format, n, n, shifted)
        };
        let general = matrix(40.0, &entry);
        let symmetric = matrix(30.0 * n as f64, &|i, j| entry(i.max(j), i.min(j)));
        let b = Matrix::from_fn_in(format, n, 3, |i, j| number(entry(j, i)));
        let room = self.lines * n * bytes_of::<T>(format);
        for (op, products) in
            [(Transpose::No, Products::default()), (Transpose::Yes, Products::direct())]
        {
            self.compare("product", room, |device, room| {
                let product = Multiply::new(&general, &symmetric).transpose_a(op);
                let sum = product.plus(T::from_f64(-2.0), general.clone()).products(products);
                let mut sum = sum.device(device);
                sum.room = room;
                let (c, report) = sum.run().unwrap();
                (c, report.place.out_of_core)
            });
        }
        for (a, method) in [(&general, Method::Lu), (&symmetric, Method::Cholesky)] {
            self.compare(method.name(), room, |device, room| {
                let mut solve = Solve::new(a).rhs(&b).device(device);
                solve.room = room;
                let (x, report) = solve.run().unwrap();
                assert_eq!(report.method, method);
                let figures = (report.relative_residual, report.condition_estimate);
                ((x, figures, report.forward_error_estimate), report.place.out_of_core)
            });
            self.compare("inverse", room, |device, room| {
                let mut inverse = Inverse::new(a).device(device);
                inverse.room = room;
                let (x, report) = inverse.run().unwrap();
                ((x, report.method, report.relative_residual), report.place.out_of_core)
            });
        }
        let singular = matrix(0.0, &|i, _| i as f64);
        let refused = |room| {
            let mut solve = Solve::new(&singular).rhs(&b).device(self.one);
            solve.room = room;
            solve.run().map(drop)
        };
        assert_eq!(refused(Some(room)), refused(None));
        assert!(refused(None).is_err());
    }
}

#[test]
fn matrices_larger_than_a_device_have_the_bits_of_one_that_holds_them() {
    for (name, order) in [("f64", 60), ("dd", 50), ("mp106", 30)] {
        let (one, all) = (Device::Cpu, Device::Cpu);
        let task = OutOfCore { order, lines: 20, one, all, ranks: &[2, 3] };
        (&task).at(name.parse::<Precision>().unwrap());
    }
}

#[test]
#[ignore = "needs a GPU"]
fn matrices_larger_than_a_gpu_have_the_bits_of_one_that_holds_them() {
    let mp212 = Precision::Mp(Bits::new(212).unwrap());
    for (precision, order) in [(Precision::F64, 250), (Precision::Dd, 200), (mp212, 80)] {
        let (one, all) = (Device::Cuda(0), Device::CudaAll);
        (&OutOfCore { order, lines: 60, one, all, ranks: &[2, 3] }).at(precision);
    }
}
