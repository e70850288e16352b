//! Matrices of the SuiteSparse collection, with solutions of MPFR beside.

use std::fs;
use std::io::Read;
use std::path::PathBuf;

use nonius::num::mp::Bits;
use nonius_oracle::system::Profile;
use rug::Float;

use super::{read, solved};

/// Bits of the reference.
const BITS: u32 = 1000;

fn check(name: &str, condition: core::ops::Range<f64>, asked: u32) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../data").join(name);
    let mut text = String::new();
    let bytes = fs::read(&path).unwrap();
    lzma_rust2::XzReader::new(bytes.as_slice(), false).read_to_string(&mut text).unwrap();
    let matrix = Profile::read(&path, BITS);
    let n = matrix.order();
    let rights: Vec<f64> = (0..n).map(|i| (1 + i % 7) as f64 - 2.5).collect();
    let mut right_text = format!("%%MatrixMarket matrix array real general\n{n} 1\n");
    rights.iter().for_each(|x| right_text += &format!("{x}\n"));
    let start = std::time::Instant::now();
    let wide = Bits::new(1024).unwrap();
    let (a, b) = (read(&text, wide), read(&right_text, wide));
    let solution = solved(&a, &b, asked).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    let digits = solution.digits.unwrap();
    println!(
        "{name}: {digits} digits of {asked}, condition 1e{:.1}, {:.2?}",
        solution.condition.log10(),
        start.elapsed()
    );
    assert!(digits >= asked && condition.contains(&solution.condition.log10()), "{name}");
    let rights: Vec<Float> = rights.iter().map(|&x| Float::with_val(BITS, x)).collect();
    let exact = matrix.factor().solve(&rights);
    // The reference has more than 200 digits beyond the condition.
    let unit = Float::with_val(BITS, Float::parse(format!("0.5e-{digits}")).unwrap());
    for (i, exact) in exact.iter().enumerate() {
        let found = Float::parse(solution.x.at(i, 0).to_string()).unwrap();
        let error = (Float::with_val(BITS, found) - exact).abs();
        assert!(error <= Float::with_val(BITS, &unit * exact).abs(), "{name}, entry {i}");
    }
}

#[test]
fn stiffness_matrices() {
    check("bcsstk01.mtx.xz", 5.5..6.8, 30);
    check("nos4.mtx.xz", 3.0..4.0, 100);
    check("bcsstk03.mtx.xz", 6.0..8.0, 50);
    check("bcsstk20.mtx.xz", 12.0..14.0, 15);
    check("bcsstk20.mtx.xz", 12.0..14.0, 60);
}
