#!/usr/bin/env bash
# Our rates and those of the libraries a user would pick instead, one after the other on one thread,
# and their ratios.
#
#   apt-get install g++ libqd-dev libgmp-dev libmpfr-dev && pip install python-flint
#   crates/bench/peers/run.sh [RUNS-FOLDER]
#
# A peer that is not installed is left out and named.
set -euo pipefail
cd "$(dirname "$0")/../../.."
runs=${1:-crates/bench/runs}
build=target/peers
mkdir -p "$build"

cargo build --release -p nonius-bench
bench=target/release/nonius-bench
"$bench" --runs "$runs" elementwise
"$bench" --runs "$runs" dense 512 1024
"$bench" --runs "$runs" mp 512
"$bench" --runs "$runs" mp-vectors
"$bench" --runs "$runs" digits 256
"$bench" --runs "$runs" text
folder=$("$bench" --runs "$runs" folder)

missing=()
if g++ -O2 -o "$build/qd" crates/bench/peers/qd_elementwise.cpp -lqd 2>"$build/qd.log"; then
  "$build/qd" 4096 qd | tee "$folder/peer-qd.csv"
  g++ -O3 -march=native -ffp-contract=off -o "$build/qd-native" crates/bench/peers/qd_elementwise.cpp -lqd
  "$build/qd-native" 4096 qd-native | tee "$folder/peer-qd-native.csv"
else
  missing+=("QD (libqd-dev): see $build/qd.log")
fi
if python3 -c 'import flint' 2>"$build/flint.log"; then
  python3 crates/bench/peers/flint_gemm.py 512 | tee "$folder/peer-flint.csv"
  python3 crates/bench/peers/flint_solve.py 256 | tee "$folder/peer-flint-solve.csv"
else
  missing+=("FLINT (python-flint): see $build/flint.log")
fi
if cargo build --release -p nonius-oracle --bin mpfr_rates 2>"$build/mpfr.log"; then
  target/release/mpfr_rates 4096 | tee "$folder/peer-mpfr.csv"
else
  missing+=("MPFR (libmpfr-dev): see $build/mpfr.log")
fi

echo
"$bench" compare "$folder"
for peer in "${missing[@]:+${missing[@]}}"; do
  echo "left out: $peer" >&2
done
