#!/usr/bin/env bash
# Instructions, bytes and times of the kernels of solids in every precision, counted by Nsight
# Compute while `nonius-bench fem --studies profile` takes six steps in each. Usage: profile-fem.sh
# NONIUS-BENCH TO.csv [ELEMENTS]. `nonius-bench fem-forecast TO.csv` reads what it writes.
set -euo pipefail
bench=$1 to=$2 elements=${3:-262144}
metrics=gpu__time_duration.sum,launch__registers_per_thread,launch__occupancy_limit_registers,sm__warps_active.avg.pct_of_peak_sustained_active
metrics+=,smsp__thread_inst_executed.sum,smsp__issue_active.avg.pct_of_peak_sustained_active
for operation in fadd fmul ffma dadd dmul dfma; do
    metrics+=,smsp__sass_thread_inst_executed_op_${operation}_pred_on.sum
done
metrics+=,smsp__sass_thread_inst_executed_op_conversion_pred_on.sum
metrics+=,dram__bytes_read.sum,dram__bytes_write.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum,l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed
# Warps that wait for something when another instruction is issued, by what they wait for.
for reason in barrier lg_throttle long_scoreboard math_pipe_throttle mio_throttle no_instruction not_selected short_scoreboard wait; do
    metrics+=,smsp__average_warps_issue_stalled_${reason}_per_issue_active.ratio
done
ncu --csv --page raw --print-units base --metrics "$metrics" --kernel-name 'regex:advance_in_full|advance_by_increments|move_nodes' \
    "$bench" fem --device 0 --studies profile --elements "$elements" --kinds C3D8R --materials elastic j2 |
    grep '^"' >"$to"
