"""Draws what share of the memory's rate batches of tridiagonal systems reach against the size of a system, and how much faster they are than cuSPARSE.

    pip install matplotlib
    python3 crates/bench/plots/tridiagonal.py docs/tridiagonal.svg crates/bench/runs/FOLDER/gpu-tridiag.csv...

The share is of five arrays, each moved once: four of coefficients and the solutions. Where several rows have the same place, the fastest counts.
"""

import csv
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

# GB/s of a copy of long vectors on an H200, and numbers of f32 or f64 in an array of a large batch.
COPY = 4070
LARGE = 2**26
# Numbers of f32 or f64 in a number.
LIMBS = {"f32": 1, "f64": 1, "dd": 2, "qd": 4}
# Precision and method, with colour and marker.
CURVES = {
    ("f32", "hybrid"): ("tab:cyan", "v"),
    ("f64", "hybrid"): ("tab:green", "o"),
    ("dd", "hybrid"): ("tab:blue", "s"),
    ("qd", "hybrid"): ("tab:purple", "^"),
    ("f64", "pcr"): ("tab:orange", "x"),
    ("f64", "thomas"): ("tab:red", "+"),
}
# A layout, with its style and the function of cuSPARSE for it.
LAYOUTS = {"contiguous": ("-", "gtsv2StridedBatch"), "interleaved": ("--", "gtsvInterleavedBatch")}
SYSTEMS = {4096: ("tab:gray", "o"), 65536: ("tab:olive", "s"), 262144: ("tab:green", "^")}


# Figures of other libraries on an H200.
PEERS = pathlib.Path(__file__).parents[1] / "runs/2026-11-nvidia-h200/peers.csv"


def cusparse():
    """Milliseconds in f64 by equations and systems: contiguous, interleaved."""
    found = {}
    with open(PEERS, newline="") as rows:
        for row in csv.DictReader(rows):
            layout = row["operation"].removeprefix("tridiag-")
            if row["library"] == "cuSPARSE" and int(row["m"]) in SYSTEMS:
                times = found.setdefault((int(row["n"]), int(row["m"])), {})
                times[layout] = 1e3 * float(row["seconds"])
    return {key: (times["strided"], times["interleaved"]) for key, times in found.items()}


CUSPARSE = cusparse()


def read(files):
    """Seconds and GB/s by precision, method, layout, systems and equations."""
    found = {}
    for file in files:
        with open(file, newline="") as rows:
            for row in csv.DictReader(rows):
                method, _, rest = row["operation"].removeprefix("tridiag-").partition("-")
                layout = rest or "contiguous"
                if layout not in LAYOUTS:
                    continue
                key = row["precision"], method, layout, int(row["m"]), int(row["n"])
                place = float(row["seconds"]), float(row["rate"])
                found[key] = min(found.get(key, place), place)
    return found


def shares(axes, found):
    for (precision, method), (colour, marker) in CURVES.items():
        for layout, (style, _) in LAYOUTS.items():
            points = []
            for (p, w, l, m, n), (_, rate) in found.items():
                numbers = m * n * LIMBS[p]
                if (p, w, l) == (precision, method, layout) and numbers == LARGE:
                    points.append((n, 100 * rate / COPY))
            if points:
                label = f"{precision} {method}, {layout}"
                axes.plot(*zip(*sorted(points)), style, marker=marker, color=colour, markersize=4, linewidth=1.2, label=label)
    axes.axhline(100, color="black", linewidth=0.6)
    axes.set_ylim(0, 119)
    axes.set_ylabel("share of a copy's rate, %")
    axes.set_title("2²⁶ unknowns in f32 and f64, half as many in dd, a quarter in qd", fontsize=8)
    axes.legend(ncols=2, fontsize=6, handlelength=4, loc="upper center", bbox_to_anchor=(0.5, -0.22))


def speedups(axes, found):
    for index, (layout, (style, peer)) in enumerate(LAYOUTS.items()):
        for systems, (colour, marker) in SYSTEMS.items():
            points = []
            for (n, m), theirs in CUSPARSE.items():
                ours = found.get(("f64", "hybrid", layout, m, n))
                if m == systems and ours:
                    points.append((n, theirs[index] / ours[0] / 1e3))
            label = f"{systems} systems, {layout} ({peer})"
            axes.plot(*zip(*sorted(points)), style, marker=marker, color=colour, markersize=4, linewidth=1.2, label=label)
    axes.axhline(1, color="black", linewidth=0.6)
    axes.set_yscale("log", base=2)
    axes.set_yticks([1, 2, 4, 8, 16], ["1", "2", "4", "8", "16"])
    axes.set_ylim(0.9, 22)
    axes.set_ylabel("times faster than cuSPARSE")
    axes.set_title("f64 hybrid beside cuSPARSE 13.0 in the same layout", fontsize=8)
    axes.legend(ncols=1, fontsize=6, handlelength=4, loc="upper center", bbox_to_anchor=(0.5, -0.22))


def main(to, files):
    found = read(files)
    plt.rcParams.update({"svg.hashsalt": "tridiagonal", "font.size": 8, "svg.fonttype": "none"})
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4.8))
    shares(left, found)
    speedups(right, found)
    for axes, sizes in ((left, [16, 64, 256, 1024, 4096, 16384, 65536]), (right, [64, 128, 256, 512, 1024])):
        axes.set_xscale("log", base=2)
        axes.set_xticks(sizes, [str(n) for n in sizes])
        axes.minorticks_off()
        axes.set_xlabel("equations of a system")
        axes.grid(True, linewidth=0.3)
    figure.tight_layout()
    figure.savefig(to, metadata={"Date": None})


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
