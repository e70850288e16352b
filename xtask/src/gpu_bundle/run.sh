#!/usr/bin/env bash
# Tests, then benchmarks, on a machine with a GPU, its driver and NVRTC or the kernels compiled in cache/.
#
#   run.sh [tests|benches|all] [FILTER...]     FILTER: parts of names of tests
#
# Results of benchmarks go to $OUT, or runs/ here. Ends with 0 only where everything passed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1

what=${1:-all}
shift || true
export NONIUS_GPU=1 RUST_BACKTRACE=1
export NONIUS_CACHE_DIR=${NONIUS_CACHE_DIR:-$PWD/cache}
NONIUS_COMMIT=$(cat commit)
export NONIUS_COMMIT
runs=${OUT:-$PWD}/runs
failed=()

say() { printf '\n==== %s\n' "$*"; }

# step NAME SECONDS COMMAND...: runs the command for so long at the most, times it, remembers a failure.
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

# NVRTC where only a Python package has it.
if [ -z "${NONIUS_NVRTC:-}" ] && ! ldconfig -p 2>/dev/null | grep -q 'libnvrtc\.so\.1[23]' &&
    ! ls "${CUDA_HOME:-/usr/local/cuda}"/lib64/libnvrtc.so.1[23] >/dev/null 2>&1; then
    found=$(python3 -c '
import glob, site, sys
roots = set(site.getsitepackages() + [site.getusersitepackages()] + sys.path)
for root in roots:
    for file in glob.glob(root + "/nvidia/*/lib/libnvrtc.so.1[23]"):
        print(file)
' 2>/dev/null | sort | tail -n 1)
    [ -z "$found" ] || export NONIUS_NVRTC=$found
fi

date -u '+%Y-%m-%d %H:%M:%S UTC'
uname -srm
echo "commit: $NONIUS_COMMIT"
echo "NVRTC: ${NONIUS_NVRTC:-where the system has it}"
nvidia-smi --query-gpu=index,name,driver_version,memory.total,clocks.sm,clocks.max.sm --format=csv || failed+=(nvidia-smi)

if [ "$what" != benches ]; then
    for test in tests/*; do
        step "$(basename "$test")" 300 "$test" --nocapture "$@"
    done
    step info 60 bin/nonius info
fi
if [ "$what" != tests ]; then
    step bench 400 bin/nonius-bench --runs "$runs" gpu
    step bench-dense 300 bin/nonius-bench --runs "$runs" gpu-dense
fi

say "done after $SECONDS s"
if [ ${#failed[@]} -gt 0 ]; then
    echo "FAILED: ${failed[*]}"
    exit 1
fi
echo "all passed"
