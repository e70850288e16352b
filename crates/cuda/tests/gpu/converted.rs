//! Products of operands that were converted to residues once: the bits of the host's.

use nonius_cuda::{Converted, DeviceFactor, DeviceRef};
use nonius_linalg::backend::Memory;
use nonius_linalg::dense::gemm::{self, Engine, Factor, Products, Report};
use nonius_linalg::dense::{Side, Transpose};
use nonius_linalg::mp::{self, Bits, Mp};
use nonius_linalg::{Error, MatRef, Matrix, Scalar};
use nonius_testkit::Sample;
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::random_matrix;

use crate::dense::{TRANSPOSES, result};
use crate::gpu;

const NO: Transpose = Transpose::No;

fn by_residues() -> Products {
    Products { engine: Some(Engine::Crt), ..Products::default() }
}

/// The bits of the integers that each operand is converted to; `None` where it is not converted.
const CONVERTED: [[Option<u32>; 2]; 7] = [
    [None, None],
    [Some(0), None],
    [None, Some(0)],
    [Some(0), Some(0)],
    [Some(300), None],
    [None, Some(300)],
    [Some(0), Some(300)],
];

/// `C ← A·B/3 − C` with operands of which some are converted.
fn on_device<T: Scalar + Sample>(
    products: Products,
    converted: [Option<u32>; 2],
    (ta, a): (Transpose, &Matrix<T>),
    (tb, b): (Transpose, &Matrix<T>),
    c: &Matrix<T>,
) -> (Matrix<T>, Report) {
    let gpu = gpu().with_products(products);
    let (a, b) = (gpu.upload(a.view()), gpu.upload(b.view()));
    let left = converted[0].map(|bits| gpu.convert(Side::Left, ta, a.as_ref(), bits));
    let right = converted[1].map(|bits| gpu.convert(Side::Right, tb, b.as_ref(), bits));
    let factor = |transpose, a, converted| match converted {
        Some(converted) => DeviceFactor::<'_, DeviceRef<'_, T>>::Converted(converted),
        None => Factor::Matrix(transpose, a),
    };
    let left: Option<&Converted<_>> = left.as_ref();
    let (left, right) = (factor(ta, a.as_ref(), left), factor(tb, b.as_ref(), right.as_ref()));
    let mut report = Report::direct();
    let third = T::ONE / T::from_f64(3.0);
    let c = result(&gpu, c, |c| {
        report = gpu.gemm_of(third, left, right, -T::ONE, c).expect("shapes and sides fit");
    });
    (c, report)
}

/// The same on the host.
fn on_host<T: Scalar + Sample>(
    products: Products,
    converted: [Option<u32>; 2],
    (ta, a): (Transpose, &Matrix<T>),
    (tb, b): (Transpose, &Matrix<T>),
    c: &Matrix<T>,
) -> (Matrix<T>, Report) {
    let left = converted[0].map(|bits| gemm::Converted::new(Side::Left, ta, a.view(), bits));
    let right = converted[1].map(|bits| gemm::Converted::new(Side::Right, tb, b.view(), bits));
    let mut c = c.clone();
    let left = match &left {
        Some(left) => Factor::Converted(left),
        None => Factor::Matrix(ta, a.view()),
    };
    let right: Factor<'_, MatRef<'_, T>> = match &right {
        Some(right) => Factor::Converted(right),
        None => Factor::Matrix(tb, b.view()),
    };
    let third = T::ONE / T::from_f64(3.0);
    let report = gemm::gemm_of(products, third, left, right, -T::ONE, c.view_mut());
    (c, report.expect("shapes and sides fit"))
}

fn check<T: Scalar + Sample>(a: (Transpose, &Matrix<T>), b: (Transpose, &Matrix<T>), what: &str) {
    let (m, n) = (a.0.shape(a.1.shape()).0, b.0.shape(b.1.shape()).1);
    let c = random_matrix::<T>((), m, n, 3);
    for converted in CONVERTED {
        let what = format!("{} {what}, converted: {converted:?}", T::NAME);
        let (expected, report) = on_host(by_residues(), converted, a, b, &c);
        // Tiles of all rows and columns, and small ones.
        for workspace in [None, Some(1 << 16)] {
            let products = Products { workspace, ..by_residues() };
            let (found, on_device) = on_device(products, converted, a, b, &c);
            assert_same_bits(&found, &expected, &what);
            let expected = Report { moduli: on_device.moduli, ..report };
            assert_eq!(on_device, expected, "{what}");
        }
    }
}

fn converted_operands<T: Scalar + Sample>() {
    for (m, n, k) in [(1, 1, 1), (65, 63, 17), (130, 100, 300), (70, 300, 33)] {
        for (ta, tb) in TRANSPOSES.into_iter().flat_map(|ta| TRANSPOSES.map(|tb| (ta, tb))) {
            let (rows, cols) = ta.shape((m, k));
            let a = random_matrix::<T>((), rows, cols, 1);
            let (rows, cols) = tb.shape((k, n));
            let b = random_matrix::<T>((), rows, cols, 2);
            check((ta, &a), (tb, &b), &format!("{m} × {n} × {k}, {ta:?} {tb:?}"));
        }
    }
    // Terms that differ in size take more bits than were converted, or none that are worth it.
    let (a, b) = (random_matrix::<T>((), 40, 60, 4), random_matrix::<T>((), 60, 50, 5));
    for step in [1, 8, 60] {
        let a = Matrix::from_fn(40, 60, |i, l| a[(i, l)].ldexp(l as i32 % 5 * step));
        let b = Matrix::from_fn(60, 50, |l, j| b[(l, j)].ldexp(-(l as i32 % 5) * step));
        check((NO, &a), (NO, &b), &format!("spread by {step}"));
    }
    let mut spoilt = a.clone();
    spoilt[(3, 4)] = T::from_limbs(|l| if l == 0 { f64::INFINITY } else { 0.0 });
    // The host says why it did not convert; sums and reports are those of the direct engine on
    // either.
    let c = random_matrix::<T>((), 40, 50, 6);
    let (a, b) = ((NO, &spoilt), (NO, &b));
    let (expected, _) = on_host(by_residues(), [None; 2], a, b, &c);
    let (found, report) = on_device(by_residues(), [Some(0), Some(0)], a, b, &c);
    assert_same_bits(&found, &expected, "infinity");
    assert_eq!(report.engine, Engine::Direct);
}

at_every_width!(converted_operands);

#[test]
#[ignore = "needs a GPU"]
fn what_does_not_fit_is_said() {
    let gpu = gpu();
    let (a, b) = (random_matrix::<f64>((), 5, 6, 1), random_matrix::<f64>((), 6, 7, 2));
    let (a, b) = (gpu.upload(a.view()), gpu.upload(b.view()));
    let mut c = gpu.zeros::<f64>(5, 7);
    let right = gpu.convert(Side::Right, NO, a.as_ref(), 0);
    let plain = Factor::Matrix(NO, b.as_ref());
    let error = gpu.gemm_of(1.0, Factor::Converted(&right), plain, 0.0, c.as_mut()).unwrap_err();
    assert_eq!(error, Error::WrongSide { needed: Side::Left });
    let wide = Factor::Matrix(Transpose::Yes, b.as_ref());
    let left = gpu.convert(Side::Left, NO, a.as_ref(), 0);
    let error = gpu.gemm_of(1.0, Factor::Converted(&left), wide, 0.0, c.as_mut()).unwrap_err();
    assert!(matches!(error, Error::Shape { .. }), "{error}");
    let nothing = gpu.zeros::<f64>(5, 0);
    assert_eq!(gpu.convert(Side::Left, NO, nothing.as_ref(), 0).bits(), None);
}

#[test]
#[ignore = "needs a GPU"]
fn numbers_of_any_precision() {
    let gpu = gpu().with_products(by_residues());
    for bits in [64, 212, 600] {
        let format = Bits::new(bits).unwrap();
        let (a, b) =
            (random_matrix::<Mp>(format, 40, 50, 1), random_matrix::<Mp>(format, 50, 20, 2));
        let (one, zero) = (Mp::one(format), Mp::zero(format));
        let (on_gpu_a, on_gpu_b) = (gpu.upload(a.view()), gpu.upload(b.view()));
        // Products of few terms take some bits more than the numbers have.
        for more in [16, 100] {
            let bits = bits + more;
            let host = gemm::Converted::new(Side::Left, NO, a.view(), bits);
            let (host, plain) = (Factor::Converted(&host), Factor::Matrix(NO, b.view()));
            let mut expected = mp::Matrix::zeros_in(format, 40, 20);
            let into = expected.view_mut();
            let report = gemm::gemm_of(by_residues(), one, host, plain, zero, into).unwrap();
            assert_eq!(report.bits, Some(bits));
            let left = gpu.convert(Side::Left, NO, on_gpu_a.as_ref(), bits);
            let right = gpu.convert(Side::Right, NO, on_gpu_b.as_ref(), bits);
            assert_eq!(left.bits(), Some(bits));
            let (plain_a, plain_b) =
                (Factor::Matrix(NO, on_gpu_a.as_ref()), Factor::Matrix(NO, on_gpu_b.as_ref()));
            for (a, b) in [
                (Factor::Converted(&left), plain_b),
                (plain_a, Factor::Converted(&right)),
                (Factor::Converted(&left), Factor::Converted(&right)),
            ] {
                let mut found = Memory::<Mp>::zeros(&gpu, format, 40, 20);
                let report = gpu.gemm_of(one, a, b, zero, found.as_mut()).unwrap();
                assert_eq!(report.bits, left.bits());
                assert_eq!(
                    gpu.download(found.as_ref()).unwrap(),
                    expected,
                    "mp{format} as {bits} bits"
                );
            }
        }
    }
}
