"""Compares two JSON files written by the benchmarks: ./dev bench compare OLD.json NEW.json"""

import json
import sys

NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def read(path):
    with open(path) as file:
        data = json.load(file)
    # A repeated benchmark counts with its median, others with their single run.
    runs = {}
    for run in data["benchmarks"]:
        if run.get("error_occurred"):
            continue
        kind = run.get("aggregate_name", "run")
        if kind in ("run", "median"):
            runs.setdefault(run["run_name"], {})[kind] = run["real_time"] * NANOSECONDS[run["time_unit"]]
    times = {name: kinds.get("median", kinds.get("run")) for name, kinds in runs.items()}
    return data["context"], times


def readable(nanoseconds):
    for unit in ("s", "ms", "us"):
        if nanoseconds >= NANOSECONDS[unit]:
            return f"{nanoseconds / NANOSECONDS[unit]:.4g} {unit}"
    return f"{nanoseconds:.4g} ns"


def main(old_path, new_path):
    old_context, old = read(old_path)
    new_context, new = read(new_path)
    for label, context in (("old", old_context), ("new", new_context)):
        commit = context.get("commit", "unknown")
        load = ", ".join(f"{x:.2f}" for x in context.get("load_avg", []))
        print(f"{label}: {context['date']}  commit {commit}  {context['num_cpus']} CPUs  load {load}")
    width = max((len(name) for name in old.keys() | new.keys()), default=9)
    print(f"\n{'benchmark':<{width}}  {'old':>12}  {'new':>12}  {'new/old':>8}")
    for name in list(old) + [name for name in new if name not in old]:
        before = readable(old[name]) if name in old else "-"
        after = readable(new[name]) if name in new else "-"
        ratio = f"{new[name] / old[name]:.3f}" if name in old and name in new else "-"
        print(f"{name:<{width}}  {before:>12}  {after:>12}  {ratio:>8}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
