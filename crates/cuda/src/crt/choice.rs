//! Which engine computes a product: the one that takes less time by the model below.

use nonius_linalg::dense::gemm::crt::Plan;

use crate::kind::Kind;

/// Picoseconds on an H200, of which only the proportions matter: of a multiply-add in the direct
/// engine for 1, 2, 3, 4 limbs, and of one in a plane of bytes.
const DIRECT: [f64; 5] = [0.0, 0.044, 0.9, 4.0, 13.0];
const PLANE: f64 = 0.0013;
/// Of an entry of an operand in a plane, and of an entry of `C`.
const PACK: f64 = 0.7;
const REBUILD: f64 = 1.4;
/// Of an entry of an operand that is looked at, of its limbs that are read.
const PROFILE: f64 = 5.0;
/// Bits that a plane is worth, and all that is the same for every size.
const PLANE_BITS: f64 = 6.5;
const START: f64 = 80e6;

/// Of a multiply-add of numbers of any precision in the direct engine: what it takes whatever their
/// length, and for the product of two words.
const DIRECT_MP: [f64; 2] = [30.0, 1.2];

/// The time of the direct engine from which on the host waits to learn how a product is computed,
/// even where it is to be queued: a wait takes a hundredth of that.
const LONG: f64 = 2e9;

fn direct_cost(kind: Kind) -> f64 {
    match kind {
        Kind::Limbs(limbs) => DIRECT[limbs],
        Kind::Mp(bits) => DIRECT_MP[0] + DIRECT_MP[1] * (bits.words() * bits.words()) as f64,
    }
}

/// The time of the direct engine.
fn direct(kind: Kind, triangle: bool, sizes: [usize; 3]) -> f64 {
    let share = if triangle { 0.5 } else { 1.0 };
    sizes.iter().fold(share * direct_cost(kind), |cost, &size| cost * size as f64)
}

/// Whether the direct engine takes so long for a product that the host had better wait to learn how
/// many bits it takes by residues.
pub(crate) fn is_long(kind: Kind, triangle: bool, sizes: [usize; 3]) -> bool {
    direct(kind, triangle, sizes) >= LONG
}

/// The time of the direct engine over that of the residue engine, which converts `lines` lines.
pub(crate) fn advantage(kind: Kind, triangle: bool, sizes: [usize; 3], lines: usize) -> f64 {
    let [m, n, k] = sizes;
    let planes = Plan::with_bits(k, kind.least_bits(), 1.0).modulus_bits / PLANE_BITS;
    let share = if triangle { 0.5 } else { 1.0 };
    let [m, n, k, lines] = [m, n, k, lines].map(|x| x as f64);
    let products = share * m.max(64.0) * n.max(64.0) * k * PLANE;
    let conversions = lines * k * PACK + share * m * n * REBUILD;
    let crt = START + planes * (products + conversions) + lines * k * PROFILE;
    direct(kind, triangle, sizes) / crt
}

#[cfg(test)]
mod tests {
    use nonius_num::{Dd, Qd};

    use nonius_linalg::Scalar;
    use nonius_linalg::dense::gemm::{Engine, Products};

    use super::*;

    fn most_bits<T: Scalar>(products: Products, triangle: bool, sizes: [usize; 3]) -> Option<u32> {
        let kind = Kind::of::<T>(());
        products.most_bits::<T>((), || advantage(kind, triangle, sizes, sizes[0] + sizes[1]))
    }

    #[test]
    fn hosts_wait_for_products_of_some_size() {
        let dd = Kind::of::<Dd>(());
        assert!(is_long(dd, false, [2048; 3]) && is_long(dd, true, [2048; 3]));
        assert!(!is_long(dd, false, [1024; 3]) && !is_long(dd, true, [1500; 3]));
        assert!(!is_long(dd, false, [16_384, 16_384, 0]));
        assert!(is_long(Kind::of::<Qd>(()), false, [1024; 3]));
    }

    #[test]
    fn residues_are_for_large_products_beyond_f64() {
        let products = Products::default();
        assert_eq!(most_bits::<Dd>(products, false, [128; 3]), None);
        assert_eq!(most_bits::<f64>(products, false, [512; 3]), None);
        assert!(most_bits::<Dd>(products, false, [2048; 3]).is_some());
        assert!(most_bits::<Qd>(products, true, [1024; 3]).is_some());
        assert_eq!(most_bits::<Dd>(products, false, [4096, 4096, 8]), None);
        assert_eq!(most_bits::<Dd>(Products::direct(), false, [4096; 3]), None);
        let crt = Products { engine: Some(Engine::Crt), ..products };
        assert_eq!(most_bits::<Dd>(crt, false, [1; 3]), Some(Plan::MOST_BITS));
    }
}
