#!/usr/bin/env bash
# Tests, then benchmarks, on a machine with a GPU, its driver and NVRTC or the kernels compiled in
# cache/.
#
#   run.sh [tests|benches|all] [FILTER...]
#       FILTER: parts of names of tests
#   run.sh sanitizers [FILTER...]
#       FILTER: tests of kernels, each under memcheck, racecheck and synccheck
#
# Results of benchmarks go to $OUT, or runs/ here. Ends with 0 only where everything passed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1

what=${1:-all}
shift || true
export RUST_BACKTRACE=1
export NONIUS_CACHE_DIR=${NONIUS_CACHE_DIR:-$PWD/cache}
NONIUS_COMMIT=$(cat commit)
export NONIUS_COMMIT
runs=${OUT:-$PWD}/runs
failed=()

say() { printf '\n==== %s\n' "$*"; }

# step NAME SECONDS COMMAND...: runs the command for so long at the most, times it, remembers a
# failure.
step() {
    local name=$1 limit=$2 start=$SECONDS status=passed
    shift 2
    say "$name: $*"
    timeout "$limit" "$@" </dev/null 2>&1
    local code=$?
    if [ "$code" -ne 0 ]; then
        failed+=("$name")
        status="FAILED ($code)"
    fi
    printf '==== %s %s after %d s\n' "$name" "$status" $((SECONDS - start))
}

# from_python VARIABLE NAME: names the file of a library where only a Python package has it.
from_python() {
    local variable=$1 name=$2 found
    if [ -n "${!variable:-}" ] || ldconfig -p 2>/dev/null | grep -q "$name\.so\.1[0-9]" ||
        ls "${CUDA_HOME:-/usr/local/cuda}/lib64/$name".so.1[0-9] >/dev/null 2>&1; then
        return
    fi
    found=$(python3 - "$name" 2>/dev/null <<'PYTHON' | sort | tail -n 1
import glob, site, sys
roots = set(site.getsitepackages() + [site.getusersitepackages()] + sys.path)
for root in roots:
    for file in glob.glob(root + "/nvidia/*/lib/" + sys.argv[1] + ".so.1[0-9]"):
        print(file)
PYTHON
    )
    [ -z "$found" ] || export "$variable=$found"
}
from_python NONIUS_NVRTC libnvrtc
from_python NONIUS_CUBLASLT libcublasLt
from_python NONIUS_CUBLAS libcublas
from_python NONIUS_CUSOLVER libcusolver

date -u '+%Y-%m-%d %H:%M:%S UTC'
uname -srm
echo "commit: $NONIUS_COMMIT"
for library in NVRTC CUBLASLT CUBLAS CUSOLVER; do
    variable=NONIUS_$library
    echo "$library: ${!variable:-where the system has it}"
done
nvidia-smi --query-gpu=index,name,driver_version,memory.total,clocks.sm,clocks.max.sm --format=csv || failed+=(nvidia-smi)

# sanitize FILTER...: compute-sanitizer's tools on tests, all at once, since each leaves the GPU
# idle most of the time.
sanitize() {
    local logs tool filter log code
    logs=$(mktemp -d)
    for filter in "$@"; do
        for tool in memcheck racecheck synccheck; do
            (
                timeout 200 compute-sanitizer --tool "$tool" --error-exitcode 9 \
                    tests/cuda-gpu --ignored --test-threads 1 "$filter" </dev/null >"$logs/$tool $filter" 2>&1
                echo "exit status $? after $SECONDS s" >>"$logs/$tool $filter"
            ) &
        done
    done
    wait
    for log in "$logs"/*; do
        say "compute-sanitizer --tool ${log##*/}"
        grep -E '^test |^=========|exit status' "$log" | tail -n 40
        code=$(tail -n 1 "$log")
        [ "${code#exit status 0 }" != "$code" ] || failed+=("${log##*/}")
    done
    rm -r "$logs"
}

if [ "$what" = sanitizers ]; then
    [ $# -gt 0 ] || set -- dense::{{products,triangles,panels}::have_the_hosts_bits,solvers::are_backward_stable}::{dd,qd}
    sanitize "$@"
elif [ "$what" != benches ]; then
    for test in tests/*; do
        which=--include-ignored
        # Its other tests read files of the repository.
        [[ $test != tests/nonius-* ]] || which=--ignored
        step "$(basename "$test")" 300 "$test" "$which" --nocapture "$@"
    done
    step info 60 bin/nonius info
fi
if [ "$what" = benches ] || [ "$what" = all ]; then
    step bench 400 bin/nonius-bench --runs "$runs" --threads "$(nproc)" gpu
    step bench-dense 300 bin/nonius-bench --runs "$runs" --threads "$(nproc)" gpu-dense
fi

say "done after $SECONDS s"
if [ ${#failed[@]} -gt 0 ]; then
    echo "FAILED: ${failed[*]}"
    exit 1
fi
echo "all passed"
