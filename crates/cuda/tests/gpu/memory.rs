//! Matrices travel to the device and back, whole and in parts, by every mode.

use nonius_cuda::{Cuda, Error, Transfer};
use nonius_linalg::backend::{Memory, View, ViewMut};
use nonius_linalg::{MatRef, Matrix, Scalar};
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::Sample;
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::random_matrix;

use crate::gpu;

const MODES: [Transfer; 3] = [Transfer::Synchronous, Transfer::Asynchronous, Transfer::Mapped];

fn round_trips<T: Scalar + Sample>(gpu: &Cuda) {
    for mode in MODES {
        let gpu = gpu.clone().with_transfer(mode);
        for (rows, cols) in [(0, 0), (0, 3), (3, 0), (1, 1), (1, 100), (63, 5), (64, 3), (257, 33)]
        {
            let a = random_matrix::<T>((), rows, cols, 1);
            let uploaded = gpu.upload(a.view());
            let found = gpu.download(uploaded.as_ref()).expect("a download");
            assert_same_bits(&found, &a, &format!("{mode:?}, {rows} × {cols}"));
        }
        // Columns with gaps between them on the host.
        let a = random_matrix::<T>((), 50, 20, 2);
        let part = MatRef::from_parts(a.as_slice(), 30, 20, 50);
        let uploaded = gpu.upload(part);
        let found = gpu.download(uploaded.as_ref()).expect("a download");
        assert_same_bits(&found, &part.to_matrix(), &format!("{mode:?}, gaps"));
        // A block on the device.
        let found = gpu.download(uploaded.as_ref().block(7, 3, 11, 9)).expect("a download");
        assert_same_bits(&found, &part.block(7, 3, 11, 9).to_matrix(), &format!("{mode:?}, block"));
    }
}

#[test]
#[ignore = "needs a GPU"]
fn what_goes_up_comes_down() {
    let gpu = gpu();
    round_trips::<f64>(&gpu);
    round_trips::<Dd>(&gpu);
    round_trips::<Td>(&gpu);
    round_trips::<Qd>(&gpu);
}

/// More than all pieces that are under way at the same time, the last of them short; on the host
/// whole, with gaps between the columns, and a single row of them.
fn many_pieces<T: Scalar + Sample>(gpu: &Cuda) {
    let a = random_matrix::<T>((), 1009, 2003, 3);
    let parts = [
        a.view(),
        MatRef::from_parts(a.as_slice(), 1001, 2003, 1009),
        MatRef::from_parts(a.as_slice(), 1, 1009 * 1001, 2),
    ];
    for mode in MODES {
        let gpu = gpu.clone().with_transfer(mode);
        for part in parts {
            let uploaded = gpu.upload(part);
            let found = gpu.download(uploaded.as_ref()).expect("a download");
            assert_same_bits(&found, &part.to_matrix(), &format!("{mode:?}, {:?}", part.shape()));
        }
        let uploaded = gpu.upload(a.view());
        let block = gpu.download(uploaded.as_ref().block(5, 3, 1000, 1999)).expect("a download");
        let expected = a.view().block(5, 3, 1000, 1999).to_matrix();
        assert_same_bits(&block, &expected, &format!("{mode:?}, block"));
    }
}

#[test]
#[ignore = "needs a GPU"]
fn many_pieces_of_dd() {
    let gpu = gpu();
    many_pieces::<Dd>(&gpu);
}

/// Whose numbers do not fill a piece.
#[test]
#[ignore = "needs a GPU"]
fn many_pieces_of_td() {
    let gpu = gpu();
    many_pieces::<Td>(&gpu);
}

/// Transfers at the same time have lanes of their own, and one that comes later takes those that
/// others have left.
#[test]
#[ignore = "needs a GPU"]
fn threads_transfer_at_the_same_time() {
    let gpu = gpu();
    std::thread::scope(|scope| {
        for seed in 20..26 {
            let gpu = Cuda::new(gpu.device()).expect("streams");
            scope.spawn(move || {
                let a = random_matrix::<Qd>((), 701, 997, seed);
                for mode in [Transfer::Asynchronous, Transfer::Mapped, Transfer::Asynchronous] {
                    let gpu = gpu.clone().with_transfer(mode);
                    let uploaded = gpu.upload(a.view());
                    let found = gpu.download(uploaded.as_ref()).expect("a download");
                    assert_same_bits(&found, &a, &format!("{mode:?}, {seed}"));
                }
            });
        }
    });
}

#[test]
#[ignore = "needs a GPU"]
fn copies_on_the_device() {
    let gpu = gpu();
    let a = random_matrix::<Dd>((), 70, 40, 4);
    let b = random_matrix::<Dd>((), 20, 30, 5);
    let original = gpu.upload(a.view());
    let mut copy: nonius_cuda::DeviceMatrix<Dd> = gpu.copy_of(original.as_ref());
    let patch = gpu.upload(b.view());
    gpu.copy(patch.as_ref(), copy.as_mut().block_mut(13, 7, 20, 30));
    let expected = Matrix::from_fn(70, 40, |i, j| {
        let inside = (13..33).contains(&i) && (7..37).contains(&j);
        if inside { b[(i - 13, j - 7)] } else { a[(i, j)] }
    });
    assert_same_bits(&gpu.download(copy.as_ref()).expect("a download"), &expected, "patched");
    assert_same_bits(&gpu.download(original.as_ref()).expect("a download"), &a, "original");
    let zeros = gpu.zeros::<Qd>(5, 3);
    let found = gpu.download(zeros.as_ref()).expect("a download");
    assert_same_bits(&found, &Matrix::zeros(5, 3), "zeros");
}

/// The first failure stays, and everybody who fetches results learns of it.
#[test]
#[ignore = "needs a GPU"]
fn too_large_a_matrix_is_an_error_that_stays() {
    let gpu = gpu();
    let small = gpu.upload(random_matrix::<Dd>((), 3, 3, 6).view());
    let (_, total) = gpu.device().memory().expect("memory");
    let columns = (total / 8 / 1024) as usize;
    let huge = gpu.zeros::<Qd>(1024, columns);
    assert_eq!(huge.as_ref().shape(), (1024, columns));
    let error = gpu.finish().expect_err("more than there is");
    assert!(matches!(error, Error::OutOfMemory { asked, .. } if asked > total), "{error}");
    let again = gpu.download(small.as_ref()).expect_err("the failure stays");
    assert_eq!(again.to_string(), error.to_string());
    // It is that backend's alone.
    let other = Cuda::new(gpu.device()).expect("a stream");
    let a = random_matrix::<Dd>((), 3, 3, 7);
    let uploaded = other.upload(a.view());
    assert_same_bits(&other.download(uploaded.as_ref()).expect("a download"), &a, "afterwards");
}

#[test]
#[ignore = "needs a GPU"]
fn marks_measure_time() {
    let gpu = gpu();
    let start = gpu.stream().record().expect("a mark");
    let a = gpu.upload(random_matrix::<Dd>((), 300, 300, 8).view());
    let end = gpu.stream().record().expect("a mark");
    let seconds = end.seconds_since(&start).expect("both marks");
    assert!(seconds > 0.0 && seconds < 60.0, "{seconds}");
    drop(a);
}
