//! Our rates over the peers', figure by figure.

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::record::{self, Record};

/// Prints a table of ratios from all CSV files of a folder. Of repeated measurements the fastest
/// counts.
pub(crate) fn print(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut records = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "csv") {
            records.extend(record::read(&path)?);
        }
    }
    println!(
        "{:10} {:4} {:12} {:>6} {:>12} {:>12} {:>7}",
        "peer", "", "operation", "size", "theirs", "ours", "ratio"
    );
    let mut peers: Vec<&Record> = records.iter().filter(|r| !r.is_ours()).collect();
    peers.sort_by(|a, b| key(a).cmp(&key(b)).then(b.rate.total_cmp(&a.rate)));
    peers.dedup_by(|a, b| key(a) == key(b));
    for peer in peers {
        let Some(ours) = fastest(&records, peer) else { continue };
        println!(
            "{:10} {:4} {:12} {:6} {:12.4} {:12.4} {:7.2} {}",
            peer.library,
            peer.precision,
            peer.operation,
            peer.m,
            peer.rate,
            ours.rate,
            ours.rate / peer.rate,
            peer.unit
        );
    }
    Ok(())
}

/// What makes two records measurements of the same thing.
fn key(r: &Record) -> (&str, &str, &str, usize, usize, usize) {
    (&r.library, &r.precision, &r.operation, r.m, r.n, r.k)
}

/// Our best figure for what a peer's record measures. A peer's operation may name its inputs after
/// an underscore.
fn fastest<'a>(records: &'a [Record], peer: &Record) -> Option<&'a Record> {
    let operation = peer.operation.split('_').next().unwrap_or(&peer.operation);
    records
        .iter()
        .filter(|r| {
            r.is_ours()
                && r.precision == peer.precision
                && r.operation == operation
                && (r.m, r.n, r.k) == (peer.m, peer.n, peer.k)
                && r.threads == peer.threads
        })
        .max_by(|a, b| a.rate.total_cmp(&b.rate))
}
