//! What readers say of files that once did harm: the exact message.

use std::io::Write;
use std::path::Path;

use nonius::tridiag::read_arrays_from;
use nonius_fem::input::{abaqus, gmsh};
use nonius_option::book;
use nonius_sdp::input::read_sparse;

/// A header of NumPy's format before some bytes.
fn array(version: u8, header: &str, numbers: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([version, 0]);
    let length = header.len() as u32;
    let width = if version == 1 { 2 } else { 4 };
    bytes.extend_from_slice(&length.to_le_bytes()[..width]);
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(numbers);
    bytes
}

fn of_shape(shape: &str, numbers: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
    array(1, &header, numbers)
}

fn message(bytes: &[u8]) -> String {
    let input = || (Path::new("a.npy"), bytes);
    match read_arrays_from::<f64>((), [input(), input(), input(), input()]) {
        Ok(read) => panic!("{} systems of {} rows", read.systems, read.size),
        Err(error) => error.to_string(),
    }
}

#[test]
fn arrays_whose_header_asks_for_too_much() {
    const OF: &str = "a.npy: expected an array of NumPy (.npy): a header";
    for shape in ["(4294967296, 4294967296)", "(18446744073709551616, 1)", "(0x10, 0x10)"] {
        let expected = format!("{OF} with a number that no length is");
        assert_eq!(message(&of_shape(shape, &[])), expected);
    }
    let nested = "(".repeat(3000);
    let expected = format!("{OF} of more than 8 brackets within each other");
    assert_eq!(message(&array(1, &nested, &[])), expected);
    let long = " ".repeat(10_001);
    let expected = format!("{OF} of 10001 bytes, where at most 10000 are read");
    assert_eq!(message(&array(2, &long, &[])), expected);
    assert!(message(&of_shape("(1000000, 1000000)", &[0; 16])).contains(" of memory needed, "));
    assert_eq!(
        message(&of_shape("(10, 10)", &[0; 16])),
        "a.npy: expected 100 numbers, found the end of the array after 2"
    );
}

#[test]
fn arrays_with_bytes_behind_the_last_number() {
    assert_eq!(
        message(&of_shape("(1, 2)", &[0; 17])),
        "a.npy: expected the end of the array after 2 numbers"
    );
    let input = of_shape("(1, 2)", &[0; 16]);
    let inputs = [0; 4].map(|_| (Path::new("a.npy"), input.as_slice()));
    assert!(read_arrays_from::<f64>((), inputs).is_ok());
}

#[test]
fn controls_of_a_type_are_escaped() {
    let header = "{'descr': [('\\x1b[m', '<f8')], 'fortran_order': False, 'shape': (1, 1), }";
    assert_eq!(
        message(&array(1, header, &[0; 8])),
        "a.npy: expected real numbers or texts of 1 to 16384 characters, \
         not [('\\u{1b}[m', '<f8'), ]"
    );
}

#[test]
fn cells_of_a_book_are_escaped_and_cut_short() {
    let first = "type,spot,strike,rate,volatility,maturity";
    let read = |cell: &str| {
        let text = format!("{first}\ncall,{cell},100,0.05,0.2,1\n");
        let rows = book::read::<f64>((), text.as_bytes(), Path::new("")).expect("a book");
        rows[0].found.clone().expect_err("no number").to_string()
    };
    assert_eq!(read("\u{1b}[31m"), "row 2, column spot: \\u{1b}[31m is not a number");
    let long = "z".repeat(100_000);
    let expected = format!("row 2, column spot: {}… is not a number", "z".repeat(100));
    assert_eq!(read(&long), expected);
}

#[test]
fn a_quoted_cell_ends_with_its_quote() {
    let read = |cell: &str| {
        let first = "type,spot,strike,rate,volatility,maturity";
        let text = format!("{first}\ncall,{cell},100,0.05,0.2,1");
        let rows = book::read::<f64>((), text.as_bytes(), Path::new("")).expect("a book");
        rows[0].found.clone().map(|contract| contract.spot).map_err(|error| error.to_string())
    };
    let refused = "row 2: expected a quote at the end of each cell that begins with one";
    assert_eq!(read("\"100\"5"), Err(refused.into()));
    assert_eq!(read("\"100"), Err(refused.into()));
    assert_eq!(read("\"100\" "), Ok(100.0));
    assert_eq!(read(" 100"), Ok(100.0));
    assert_eq!(read("\"10\"\"0\""), Err("row 2, column spot: 10\"0 is not a number".into()));
}

fn deck(text: &str) -> String {
    let read = abaqus::read(text.as_bytes(), Path::new("deck.inp"));
    read.map(|_| ()).expect_err("no model").to_string()
}

#[test]
fn words_of_a_deck_are_escaped_and_cut_short() {
    assert_eq!(
        deck("*NODE\n1, \u{1b}[31m, 0\n"),
        "deck.inp:2: expected the number of a node and its coordinates, found \\u{1b}[31m"
    );
    let long = "z".repeat(100_000);
    let expected =
        format!("deck.inp:1: *{}… is not supported, and results may depend on it", "Z".repeat(100));
    assert_eq!(deck(&format!("*{long}\n")), expected);
}

#[test]
fn a_keyword_has_at_most_a_hundred_parameters() {
    let parameters: String = (0..101).map(|k| format!(", p{k}")).collect();
    assert_eq!(
        deck(&format!("*NODE{parameters}\n")),
        "deck.inp:1: expected at most 100 parameters of a keyword, found p100"
    );
}

#[test]
fn words_of_a_mesh_are_escaped() {
    let error = gmsh::read(&b"\x1b[31m\n"[..], Path::new("a.msh")).expect_err("no mesh");
    assert_eq!(error.to_string(), "a.msh:1: expected a section such as $Nodes, found \\u{1b}[31m");
}

#[test]
fn numbers_of_a_program_have_at_most_65536_bytes() {
    let read = |digits: usize| {
        let mut text = Vec::new();
        writeln!(text, "1\n1\n1\n{}\n1 1 1 1 1", "1".repeat(digits)).expect("memory takes it");
        read_sparse(text.as_slice())
    };
    let error = read(65_537).expect_err("too long").to_string();
    let found = format!("`{}...`", "1".repeat(40));
    assert_eq!(error, format!("line 4: expected a number of at most 65536 bytes, found {found}"));
    assert_eq!(read(200).map(|problem| problem.constraints()).ok(), Some(1));
}
