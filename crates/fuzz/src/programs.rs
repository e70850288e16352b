//! Semidefinite programs: problems, parameters, points and results.

use std::fmt::Write;
use std::sync::LazyLock;

use nonius_linalg::Number;
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp};
use nonius_sdp::input::{
    ReadError, read_dense, read_dense_point, read_parameters, read_result, read_sparse,
    read_sparse_point,
};
use nonius_sdp::{Block, Fingerprint, Problem, Solution, output};

use crate::{check_finite, check_message};

/// A problem that points are of.
pub(crate) static PROBLEM: LazyLock<Problem> = LazyLock::new(|| {
    let text = "2\n3\n2 -2 1\n1 0.5\n0 1 1 2 3\n1 1 1 1 1.5\n2 2 1 1 2\n2 3 1 1 -1\n";
    read_sparse(text.as_bytes()).expect("a problem")
});

/// A problem in the sparse format.
pub fn sdp_sparse(bytes: &[u8]) {
    check_problem(read_sparse(bytes));
}

/// A problem in the dense format.
pub fn sdp_dense(bytes: &[u8]) {
    check_problem(read_dense(bytes));
}

/// What is read is read again from all that it says.
fn check_problem(read: Result<Problem, ReadError>) {
    let problem = match read {
        Ok(problem) => problem,
        Err(error) => return check_message(&error),
    };
    let number = |place| problem.numbers().text(place);
    let mut text = String::new();
    let orders = problem.blocks().iter().map(|block| match block {
        Block::Dense(order) => format!("{order}"),
        Block::Diagonal(order) | Block::SecondOrder(order) => format!("-{order}"),
    });
    let orders: Vec<String> = orders.collect();
    let objective: Vec<&str> = problem.objective().iter().map(|&place| number(place)).collect();
    let (constraints, blocks) = (problem.constraints(), orders.len());
    write!(text, "{constraints}\n{blocks}\n{}\n{}\n", orders.join(" "), objective.join(" "))
        .expect("memory takes it");
    for entry in problem.entries() {
        let place = entry.place;
        let [block, row, col] = [place.block, place.row, place.col].map(|k| u64::from(k) + 1);
        let value = number(entry.value);
        writeln!(text, "{} {block} {row} {col} {value}", place.matrix).expect("memory takes it");
    }
    let again = read_sparse(text.as_bytes()).expect("what was read is read again");
    assert_eq!(Fingerprint::of(&again), Fingerprint::of(&problem), "{text}");
}

/// A file of parameters.
pub fn sdp_parameters(bytes: &[u8]) {
    match read_parameters(bytes) {
        Ok(parameters) => check_finite(&parameters),
        Err(error) => check_message(&error),
    }
}

/// A point in the sparse format.
pub fn sdp_point(bytes: &[u8]) {
    check_point(read_sparse_point::<f64>(bytes, (), &PROBLEM), ());
    check_point(read_sparse_point::<Dd>(bytes, (), &PROBLEM), ());
}

/// A point in the dense format.
pub fn sdp_point_dense(bytes: &[u8]) {
    let bits = Bits::new(120).expect("bits that there are");
    check_point(read_dense_point::<f64>(bytes, (), &PROBLEM), ());
    check_point(read_dense_point::<Mp>(bytes, bits, &PROBLEM), bits);
}

/// A point in a result.
pub fn sdp_result(bytes: &[u8]) {
    check_point(read_result::<f64>(bytes, (), &PROBLEM), ());
}

/// What is written is read as the same.
fn check_point<T: Number>(read: Result<Solution<T>, ReadError>, format: T::Format) {
    let point = match read {
        Ok(point) => point,
        Err(error) => return check_message(&error),
    };
    let mut text = Vec::new();
    output::write_sparse_point(&mut text, &point).expect("memory takes it");
    let again = read_sparse_point::<T>(&*text, format, &PROBLEM).expect("what was written is read");
    assert_eq!(again, point);
}
