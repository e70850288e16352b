//! Every group keeps its promises on a small number of inputs.

use nonius_oracle::groups::GROUPS;

#[test]
fn every_operation_keeps_its_bound() {
    let mut broken = Vec::new();
    for group in GROUPS {
        for row in group.run(2_000, 20_261_121, "") {
            if row.failures > 0 {
                broken.push(format!(
                    "{} {}: {} of {}: {:#?}",
                    row.name, row.width, row.failures, row.inputs, row.examples
                ));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
