//! Runs the differential tests: `nonius-oracle [--count N] [--seed S] [--only NAME] [group…]`.

use std::process::ExitCode;

use nonius_oracle::groups::GROUPS;

const USAGE: &str = "usage: nonius-oracle [--count N] [--seed S] [--only PART-OF-A-NAME] [group…]";

struct Arguments {
    count: u64,
    seed: u64,
    only: String,
    groups: Vec<String>,
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut parsed = Arguments { count: 50_000, seed: 1, only: String::new(), groups: Vec::new() };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        let number = |text: String| text.parse().map_err(|_| format!("{text} is not a number"));
        match argument.as_str() {
            "--count" => parsed.count = number(value()?)?,
            "--seed" => parsed.seed = number(value()?)?,
            "--only" => parsed.only = value()?,
            name if GROUPS.iter().any(|group| group.name == name) => parsed.groups.push(argument),
            _ => return Err(format!("no group or option {argument}")),
        }
    }
    Ok(parsed)
}

fn main() -> ExitCode {
    let arguments = match parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}\n{USAGE}\ngroups:");
            for group in GROUPS {
                eprintln!("  {:<12} {}", group.name, group.about);
            }
            return ExitCode::from(2);
        }
    };
    let mut failures = 0;
    println!(
        "{:<12} {:<24} {:<3} {:>9} {:>9} {:>9} {:>9} {:>9}  worst at",
        "group", "operation", "", "inputs", "ulps", "bound", "of bound", "2^-1074"
    );
    for group in GROUPS {
        if !arguments.groups.is_empty() && !arguments.groups.iter().any(|name| name == group.name) {
            continue;
        }
        for row in group.run(arguments.count, arguments.seed, &arguments.only) {
            println!(
                "{:<12} {:<24} {:<3} {:>9} {:>9.4} {:>9} {:>9.3} {:>9.1}  {}",
                row.group,
                row.name,
                row.width,
                row.inputs,
                row.worst.0,
                row.bound,
                row.of_bound,
                row.worst_tiny.0,
                row.worst.1
            );
            if row.failures > 0 {
                println!("  FAILED on {} inputs:", row.failures);
                for example in &row.examples {
                    println!("    {example}");
                }
            }
            failures += row.failures;
        }
    }
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
