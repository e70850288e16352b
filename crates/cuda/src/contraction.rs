//! Error-free code is not contracted: compiled, it has as many additions, products and fused
//! multiply-adds as written.
//!
//! Needs NVRTC, and for the machine code the disassembler `nvdisasm`. Where NVRTC is absent the
//! tests say so and pass, but not in continuous integration.
use std::io::Write;
use std::process::Command;

use nonius_gpu::Source;
use nonius_testkit::cuda;

use crate::texts::texts;

/// Additions with subtractions, products, fused multiply-adds.
type Counts = [usize; 3];

/// An expression in `x`, `y`, `z` of `limbs` limbs each, and its operations.
struct Probe {
    limbs: usize,
    expression: &'static str,
    counts: Counts,
}

const fn probe(limbs: usize, expression: &'static str, counts: Counts) -> Probe {
    Probe { limbs, expression, counts }
}

const PAIR: &str = "pair(two_sum(x[0], y[0]))";
const PRODUCT: &str = "product<Accumulator>(z, x, y)";
const IEEE: &str = "product<Ieee>(z, x, y)";
const IEEE_SLOPPY: &str = "product<IeeeSloppy>(z, x, y)";
const CRAY: &str = "product<Cray>(z, x, y)";
const SLOPPY: &str = "product<Sloppy>(z, x, y)";
const SERIES: &str = "elementary::add_product(z, x, y)";

const PROBES: &[Probe] = &[
    probe(2, PAIR, [6, 0, 0]),
    probe(2, "pair(fast_two_sum(x[0], y[0]))", [3, 0, 0]),
    probe(2, "pair(two_prod(x[0], y[0]))", [0, 1, 1]),
    probe(2, "add_finite(x, y)", [20, 0, 0]),
    probe(3, "add_finite(x, y)", [63, 0, 0]),
    probe(4, "add_finite(x, y)", [124, 0, 0]),
    probe(2, "mul_finite(x, y)", [5, 3, 1]),
    probe(3, "mul_finite(x, y)", [36, 6, 3]),
    probe(4, "mul_finite(x, y)", [108, 10, 6]),
    probe(2, "div_limbs(x, y, z[0])", [4, 2, 2]),
    probe(3, "div_limbs(x, y, z[0])", [38, 5, 11]),
    probe(4, "div_limbs(x, y, z[0])", [100, 8, 17]),
    probe(2, "add_cray(x, y)", [11, 0, 0]),
    probe(2, "mul_sloppy(x, y)", [2, 2, 2]),
    probe(1, PRODUCT, [0, 0, 1]),
    probe(2, PRODUCT, [6, 1, 3]),
    probe(3, PRODUCT, [32, 3, 6]),
    probe(4, PRODUCT, [90, 6, 10]),
    probe(1, IEEE, [1, 1, 0]),
    probe(2, IEEE, [25, 3, 1]),
    probe(3, IEEE, [99, 6, 3]),
    probe(4, IEEE, [232, 10, 6]),
    probe(2, IEEE_SLOPPY, [22, 2, 2]),
    probe(2, CRAY, [16, 3, 1]),
    probe(2, SLOPPY, [13, 2, 2]),
    probe(2, SERIES, [10, 3, 1]),
    probe(3, SERIES, [48, 6, 3]),
    probe(4, SERIES, [121, 10, 6]),
    // A plain product and sum of limbs.
    probe(2, "pair({x[0] * y[0] + z[0], x[1] * y[1] - z[1]})", [2, 2, 0]),
];

impl Probe {
    fn source(&self) -> Source {
        let Self { limbs, expression, .. } = self;
        let includes = ["dense/accumulate", "num/div", "dense/normalized", "num/elementary/series"]
            .map(|file| format!("#include \"{file}.cuh\"\n"))
            .concat();
        // With so few blocks that registers abound: where they are scarce, the compiler computes
        // some numbers twice.
        let text = format!(
            "{includes}
            DEVICE MultiFloat<2> pair(Pair p) {{ return {{{{p.first, p.second}}}}; }}
            template <template <int> class Sum, int N>
            DEVICE MultiFloat<N> product(MultiFloat<N> z, MultiFloat<N> x, MultiFloat<N> y) {{
                Sum<N> sum{{z}};
                sum.add_product(x, y);
                return sum.sum;
            }}
            extern \"C\" __global__ void __launch_bounds__(128, 1) probe(const double *from, double *to) {{
                MultiFloat<{limbs}> x, y, z;
                for (int i = 0; i < {limbs}; i++) {{
                    x[i] = from[i];
                    y[i] = from[i + 4];
                    z[i] = from[i + 8];
                }}
                const MultiFloat<{limbs}> result = {expression};
                for (int i = 0; i < {limbs}; i++) to[i] = result[i];
            }}"
        );
        Source::of_text(texts(), "probe", text)
    }
}

/// How many instructions begin with one of the words.
fn count(code: &str, words: &[&str]) -> usize {
    let instruction = |line: &&str| words.iter().any(|word| line.trim_start().starts_with(word));
    code.lines().filter(instruction).count()
}

#[test]
fn before_the_machine() {
    let Some(nvrtc) = cuda::nvrtc() else { return };
    for probe in PROBES {
        let code = nvrtc.ptx(&probe.source(), "compute_90").expect("a probe");
        let counts = [
            count(&code, &["add.rn.f64", "sub.rn.f64"]),
            count(&code, &["mul.rn.f64"]),
            count(&code, &["fma.rn.f64"]),
        ];
        assert_eq!(counts, probe.counts, "{} at {} limbs", probe.expression, probe.limbs);
        // What states no rounding may be contracted on the way to the machine.
        assert_eq!(count(&code, &["add.f64", "sub.f64", "mul.f64", "mad"]), 0);
    }
}

#[test]
fn on_the_machine() {
    let Some(nvrtc) = cuda::nvrtc() else { return };
    for probe in PROBES {
        let code = nvrtc.compile(&probe.source(), "sm_90").expect("a probe");
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(&code).expect("a temporary file");
        let Ok(output) = Command::new("nvdisasm").arg("-c").arg(file.path()).output() else {
            println!("not looked at: there is no nvdisasm");
            return;
        };
        let text = String::from_utf8_lossy(&output.stdout);
        // Lines like `/*0010*/ DADD R4, R2, -R6 ;`.
        let code: Vec<_> = text.lines().filter_map(|line| Some(line.split_once("*/")?.1)).collect();
        let code = code.join("\n");
        let counts = ["DADD", "DMUL", "DFMA"].map(|word| count(&code, &[word]));
        assert_eq!(counts, probe.counts, "{} at {} limbs", probe.expression, probe.limbs);
    }
}
