//! Products of sparse matrices with vectors.

use nonius_cuda::{CudaSpace, CudaVector, Planar};
use nonius_linalg::Number;
use nonius_linalg::backend::Space;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{HostSpace, LinearOperator};
use nonius_linalg::mp::{Bits, Mp};
use nonius_linalg::sparse::{Coo, Csr, Dia, Ell, Full, Jad, Layout};
use nonius_num::{Dd, Qd, Td};

use super::{Host, Same, full, matrix, mp, rns, short};
use crate::gpu;

fn check_products<H: Host, A>(host: &mut H, device: &mut CudaSpace, a: &A, what: &str)
where
    A: Layout + LinearOperator<H>,
{
    let on_device = device.upload_matrix(a).unwrap();
    let n = a.shape().1;
    for specials in [false, true] {
        let x = host.random(n, 3, specials);
        let mut right = host.zeros(n);
        a.apply(host, &x, &mut right);
        let mut y = device.vector(n).unwrap();
        on_device.apply(device, &device_copy(device, &x), &mut y);
        let found: H::Vector = device.download(&y).unwrap();
        assert!(found.same(&right), "{what}, {n} rows, specials: {specials}");
    }
}

fn device_copy<P: Planar>(device: &CudaSpace, x: &P) -> CudaVector {
    device.upload(x).unwrap()
}

fn products<H: Host, V>(mut host: H, of: impl Fn(&Coo<f64>) -> Csr<V>)
where
    V: Number,
    Csr<V>: LinearOperator<H>,
    Ell<V>: LinearOperator<H>,
    Jad<V>: LinearOperator<H>,
    Dia<V>: LinearOperator<H>,
    Full<V>: LinearOperator<H>,
{
    let gpu = gpu();
    let mut device = host.device(&gpu);
    for (side, long_rows) in [(0, false), (1, false), (5, true), (33, false), (40, true)] {
        let csr = of(&matrix(side, long_rows));
        check_products(&mut host, &mut device, &csr, "csr");
        check_products(&mut host, &mut device, &Ell::from_csr(&csr).unwrap(), "ell");
        check_products(&mut host, &mut device, &Jad::from_csr(&csr).unwrap(), "jad");
        check_products(&mut host, &mut device, &Dia::from_csr(&csr).unwrap(), "dia");
        if side < 40 {
            check_products(&mut host, &mut device, &Full::from_csr(&csr).unwrap(), "full");
        }
    }
}

mod sparse_products_have_the_hosts_bits {
    use super::*;

    #[test]
    #[ignore = "needs a GPU"]
    fn f64() {
        products(HostSpace::<f64>::new(()), short);
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn dd() {
        products(HostSpace::<Dd>::new(()), short);
        products(HostSpace::<Dd>::new(()), |a| full::<Dd>(a, ()));
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn td() {
        products(HostSpace::<Td>::new(()), short);
        products(HostSpace::<Td>::new(()), |a| full::<Td>(a, ()));
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn qd() {
        products(HostSpace::<Qd>::new(()), short);
        products(HostSpace::<Qd>::new(()), |a| full::<Qd>(a, ()));
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn mp_delayed() {
        for bits in [106, 424] {
            let space = || mp(bits, Arithmetic::Delayed);
            products(space(), |a| short(a).to_format::<Mp>(Bits::FEWEST).unwrap());
            products(space(), |a| full::<Mp>(a, space().format()));
        }
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn residues() {
        for bits in [106, 424] {
            products(rns(bits), short);
        }
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn mp_ieee() {
        products(mp(212, Arithmetic::Ieee), |a| short(a).to_format::<Mp>(Bits::FEWEST).unwrap());
    }
}
