//! What factorisations are made of: panels, and products of few terms by each engine.

use std::error::Error;

use nonius_cuda::Cuda;
use nonius_linalg::Scalar;
use nonius_linalg::backend::{Gemm, Memory, Panel};
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::{Engine, Products};
use nonius_num::{Dd, Qd};

use super::rows::{kernel_time, row};
use crate::inputs::matrix;
use crate::record::Record;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Figures for matrices with `n` rows, for each `n` in `sizes`.
pub(crate) fn measure(gpu: &Cuda, sizes: &[usize]) -> Outcome<Vec<Record>> {
    let mut records = Vec::new();
    for &n in sizes {
        panels::<f64>(gpu, n, &mut records)?;
        panels::<Dd>(gpu, n, &mut records)?;
        panels::<Qd>(gpu, n, &mut records)?;
        products::<Dd>(gpu, n, &[64, 128, 256, 512, 1024], &mut records)?;
        products::<Qd>(gpu, n, &[64, 128, 256], &mut records)?;
    }
    Ok(records)
}

fn panels<T: Scalar>(gpu: &Cuda, m: usize, records: &mut Vec<Record>) -> Outcome<()> {
    let w = <Cuda as Panel<T>>::WIDTH;
    let flops = (m * w * w) as f64;
    let dominant = nonius_linalg::Matrix::<T>::from_fn(m, w, |i, j| {
        T::from_f64(if i == j { 4.0 * w as f64 } else { ((i * 31 + j * 17) % 97) as f64 / 97.0 })
    });
    let mut a = gpu.upload(dominant.view());
    let mut pivots = vec![0; w];
    let mut failure = None;
    let seconds = kernel_time(gpu, || {
        failure = gpu.lu_panel(a.as_mut(), &mut pivots).err();
    })?;
    assert_eq!(failure, None, "a regular panel");
    records.push(row::<T>("lu-panel", [m, w, w], seconds, flops));
    // Factors have large diagonals as well, so that they can be factored again and again.
    let mut a = gpu.upload(dominant.view());
    let watch = Panel::<T>::watch(gpu);
    let seconds = kernel_time(gpu, || {
        failure = gpu.cholesky_panel(a.as_mut(), 0, &watch).err();
    })?;
    let kept = Panel::<T>::breakdown(gpu, watch).err();
    assert_eq!((failure, kept), (None, None), "a definite panel");
    records.push(row::<T>("cholesky-panel", [m, w, w], seconds, flops));
    Ok(())
}

fn products<T: Scalar>(
    gpu: &Cuda,
    n: usize,
    terms: &[usize],
    records: &mut Vec<Record>,
) -> Outcome<()> {
    for &k in terms {
        let a = gpu.upload(matrix::<T>(n, k, 1).view());
        let b = gpu.upload(matrix::<T>(k, n, 2).view());
        let mut c = gpu.zeros::<T>(n, n);
        for engine in Engine::ALL {
            let products = Products { engine: Some(engine), ..Products::default() };
            let gpu = gpu.clone().with_products(products);
            let no = Transpose::No;
            let seconds = kernel_time(&gpu, || {
                gpu.queue_gemm(no, no, -T::ONE, a.as_ref(), b.as_ref(), T::ONE, c.as_mut());
            })?;
            let flops = 2.0 * (n * n * k) as f64;
            records.push(row::<T>(&format!("gemm-{engine}"), [n, n, k], seconds, flops));
        }
    }
    Ok(())
}
