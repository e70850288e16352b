//! What differs from run to run and from machine to machine: times, rates, devices.

use std::sync::LazyLock;

use regex::Regex;

/// Patterns and what stands in their place; the first is applied first.
const PATTERNS: [(&str, &str); 9] = [
    (r"^(device +).*", "${1}<device>"),
    (r"^(no GPU|memory|caches?|simd|threads?|processors?) .*", "<machine>"),
    (
        r#"^( *"(device_reason|threads|[a-z_]*seconds|[a-z_]*gflops|[a-z_]*per_second)": ).*"#,
        "${1}<measured>",
    ),
    (r"\d+(\.\d+)?(e-?\d+)? (systems|prices|options|rows|elements|steps) (a|per) second", "<rate>"),
    (r"\d+(\.\d+)?(e-?\d+)? [kMGT]?(FLOPS|flop/s|B/s|bytes/s)", "<rate>"),
    (r"\b\d+(\.\d+)?(e-?\d+)? (ns|µs|us|ms|s|min|h)\b", "<time>"),
    (r"\b\d+ threads?\b", "<threads>"),
    // Iterations of semidefinite programs: the last columns are seconds and the precision.
    (r"^( +\d+ .* \d\.\d{3} +\d\.\d{3}) +\d+\.\d+ ", "$1 <time> "),
    (r" +", " "),
];

static COMPILED: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    PATTERNS.iter().map(|(pattern, mask)| (Regex::new(pattern).unwrap(), *mask)).collect()
});

pub(crate) fn masked(line: &str) -> String {
    COMPILED.iter().fold(line.trim_end().to_string(), |line, (pattern, mask)| {
        pattern.replace_all(&line, *mask).into_owned()
    })
}

#[test]
fn only_what_varies_is_masked() {
    assert_eq!(masked("time   12.5 ms, 3.1e3 systems a second"), "time <time>, <rate>");
    assert_eq!(masked("route   in qd, 4 steps, 0.9 ms"), "route in qd, 4 steps, <time>");
    assert_eq!(masked("residual  3.2e-13"), "residual 3.2e-13");
    assert_eq!(masked(r#"  "seconds": 1.5,"#), r#" "seconds": <measured>"#);
}
