//! A sample of every command: what it is called with, and the files that it leaves.

/// One run of the program.
pub(super) struct Sample {
    /// Names its folder and its line in the account.
    pub(super) name: &'static str,
    /// Arguments, in one line. `OUT/` is the run's folder, `data/` the repository's.
    pub(super) arguments: &'static str,
}

const fn sample(name: &'static str, arguments: &'static str) -> Sample {
    Sample { name, arguments }
}

/// Short runs: emulation takes ten to a hundred times as long.
pub(super) const SAMPLES: &[Sample] = &[
    sample("solve-f64", "solve data/bcsstk01.mtx.xz --precision f64 -o OUT/x.mtx"),
    sample("solve-dd", "solve data/nos4.mtx.xz --precision dd -o OUT/x.mtx"),
    sample("solve-td", "solve data/hilbert20.mtx --precision td --method lu -o OUT/x.mtx"),
    sample("solve-qd", "solve data/hilbert40.mtx --precision qd -o OUT/x.mtx"),
    sample("solve-ieee", "solve data/hilbert20.mtx --precision dd --arithmetic ieee -o OUT/x.mtx"),
    sample("digits", "solve data/hilbert20.mtx --digits 40 -o OUT/x.mtx"),
    sample("digits-sparse", "solve data/bcsstk01.mtx.xz --digits 20 -o OUT/x.mtx"),
    sample("inverse", "inverse data/bcsstk03.mtx.xz --precision qd -o OUT/x.mtx"),
    sample("determinant", "determinant data/hilbert20.mtx --precision td"),
    sample("determinant-digits", "determinant data/hilbert20.mtx --digits 30"),
    sample("eigen", "eigen data/bcsstk01.mtx.xz --precision dd -o OUT/l.mtx --vectors OUT/v.mtx"),
    sample(
        "svd",
        "svd data/bcsstk03.mtx.xz --precision qd -o OUT/s.mtx --left OUT/u.mtx --right OUT/v.mtx",
    ),
    sample("matmul-f64", "matmul data/nos4.mtx.xz data/nos4.mtx.xz --precision f64 -o OUT/c.mtx"),
    sample(
        "matmul-direct",
        "matmul data/nos4.mtx.xz data/nos4.mtx.xz --precision dd --engine direct -o OUT/c.mtx",
    ),
    sample(
        "matmul-crt",
        "matmul data/nos4.mtx.xz data/nos4.mtx.xz --precision qd --engine crt -o OUT/c.mtx",
    ),
    sample("matmul-mp", "matmul data/nos4.mtx.xz data/nos4.mtx.xz --precision mp424 -o OUT/c.mtx"),
    sample("convert", "convert data/hilbert20.mtx --precision qd -o OUT/c.mtx"),
    sample("cg-f64", "cg data/nos4.mtx.xz --precision f64 -o OUT/x.mtx"),
    sample("cg-dd", "cg data/bcsstk01.mtx.xz --precision dd --preconditioner jacobi -o OUT/x.mtx"),
    sample("cg-mp", "cg data/bcsstk01.mtx.xz --precision mp212 -o OUT/x.mtx"),
    sample("cg-gmres", "cg data/nos4.mtx.xz --precision qd --method gmres -o OUT/x.mtx"),
    sample(
        "tridiag-f32",
        "tridiag --systems 37 --size 65 --form random --precision f32 -o OUT/x.npy",
    ),
    sample(
        "tridiag-f64",
        "tridiag --systems 37 --size 65 --form random --precision f64 -o OUT/x.npy",
    ),
    sample(
        "tridiag-qd",
        "tridiag --systems 37 --size 65 --form random --precision qd -o OUT/x.npy",
    ),
    sample("option", "option price data/book.csv --tolerance 1e-5 -o OUT/prices.csv"),
    sample(
        "option-dd",
        "option price data/local.csv --grid 64x32 --precision dd -o OUT/prices.csv",
    ),
    sample("fem-f64", "fem run OUT/bar.inp -o OUT/bar"),
    sample("fem-mixed", "fem run OUT/bar.inp -o OUT/bar --precision mixed"),
    sample("fem-f32", "fem run OUT/bar.inp -o OUT/bar --precision f32"),
    sample("sdp-f64", "sdp data/sdplib/truss1.dat-s.xz --precision f64 -o OUT/result"),
    sample("sdp-dd", "sdp data/sdplib/control1.dat-s.xz --precision dd -o OUT/result"),
    sample("sdp-certify", "sdp data/sdplib/truss1.dat-s.xz --precision dd --certify -o OUT/result"),
];
