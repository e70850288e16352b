//! Products entry by entry, and norms.

use nonius_linalg::backend::Space;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{HostSpace, RnsSpace};
use nonius_linalg::mp::Bits;
use nonius_num::rns::float::Format;
use nonius_num::{Dd, Mp, Qd, Td};
use nonius_testkit::krylov::Suite;

fn check<S: Suite<Space = S> + Space>(mut space: S) {
    for n in [0, 1, 2, 9, 5000] {
        let entries = |scale: f64| (1..=n).map(|i| scale * f64::from(i)).collect::<Vec<_>>();
        let x = space.to_space(&entries(3.0));
        let mut y = space.to_space(&entries(-0.5));
        space.multiply(&x, &mut y);
        let squares: Vec<f64> = (1..=n).map(|i| -1.5 * f64::from(i * i)).collect();
        assert_eq!(space.to_host(&y), squares);
    }
    // 3² + 4² + 12² + 84² = 85²
    let mut x = space.to_space(&[3.0, -4.0, 12.0, -84.0]);
    let mut norm = space.number();
    space.norm(&x, &mut norm);
    space.scale(&norm, &mut x);
    assert_eq!(space.to_host(&x), [255.0, -340.0, 1020.0, -7140.0]);
    let empty = space.to_space(&[]);
    space.norm(&empty, &mut norm);
    space.scale(&norm, &mut x);
    assert!(space.to_host(&x).iter().all(|&x| x == 0.0));
}

#[test]
fn products_by_entries_and_norms() {
    check(HostSpace::<f64>::new(()));
    check(HostSpace::<Dd>::new(()));
    check(HostSpace::<Td>::new(()));
    check(HostSpace::<Qd>::new(()));
    for bits in [64, 106, 424, 1000, 2048] {
        let space = HostSpace::<Mp>::new(Bits::new(bits).unwrap());
        check(space.clone().with_arithmetic(Arithmetic::Ieee).unwrap());
        check(space);
    }
    for bits in [53, 212] {
        check(RnsSpace::new(&Format::with_bits(bits).unwrap()).unwrap());
    }
}
