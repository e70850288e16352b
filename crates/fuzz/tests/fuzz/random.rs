//! Each reader on its corpus and on damaged files; [`nonius_fuzz::TARGETS`] says what holds.

use nonius_fuzz::TARGETS;
use nonius_testkit::{mutated, random_cases};

/// Cases of a reader in a commit; a long run has a thousand times as many.
const CASES: u64 = 10_000;

fn read_random_files(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a reader of that name");
    let files = target.corpus();
    files.iter().for_each(|file| (target.read)(file));
    let most = files.iter().map(Vec::len).max().unwrap_or(0).min(CASES as usize);
    // Every beginning of every file.
    for file in &files {
        (0..file.len().min(most)).for_each(|length| (target.read)(&file[..length]));
    }
    random_cases(name, CASES, |random| {
        let [file, other] = [0; 2].map(|_| &files[random.below(files.len())]);
        (target.read)(&mutated(random, file, other));
    });
}

macro_rules! readers {
    ($($test:ident, $name:literal;)*) => {
        $(
            #[test]
            fn $test() {
                read_random_files($name);
            }
        )*

        #[test]
        fn every_reader_has_a_test() {
            let tested = [$($name),*];
            let missing = TARGETS.iter().find(|target| !tested.contains(&target.name));
            assert_eq!(missing.map(|target| target.name), None);
        }
    };
}

readers! {
    random_matrix_market, "matrix_market";
    random_arrays, "arrays";
    random_npy, "npy";
    random_npz, "npz";
    random_csv, "csv";
    random_book, "book";
    random_quotes, "quotes";
    random_surface, "surface";
    random_abaqus, "abaqus";
    random_gmsh, "gmsh";
    random_physics, "physics";
    random_fem_checkpoint, "fem_checkpoint";
    random_sdp_sparse, "sdp_sparse";
    random_sdp_dense, "sdp_dense";
    random_sdp_parameters, "sdp_parameters";
    random_sdp_point, "sdp_point";
    random_sdp_point_dense, "sdp_point_dense";
    random_sdp_result, "sdp_result";
    random_sdp_checkpoint, "sdp_checkpoint";
    random_packed, "packed";
    random_decimal, "decimal";
    random_form, "form";
}
