"""Counts the instructions of solving small models, which repeat where times do not.

  instructions.py COMMAND [--update]

COMMAND is the built command catena. Compares with bench/instructions.json and fails if a count
differs by more than 2 %; --update writes the file instead, for a change that is meant. The counts
belong to the compiler and its flags: with others the comparison is left out, with a word. Needs
valgrind.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

FILE = pathlib.Path(__file__).with_name("instructions.json")
TOLERANCE = 0.02
FULL_NEWTON = ["timeIntegration.newton.reuseFactors=false"]
RUNS = [  # model, steps, settings
    ("chain:1", 500, []),
    ("chain:20", 200, []),
    ("chain:20", 100, FULL_NEWTON),
    ("chain:20", 100, FULL_NEWTON + ["linearSolverType=KLU"]),
    ("tree:31", 100, []),
    ("net:20", 100, []),
    ("four-bars:21", 100, []),
]


def toolchain(command, folder):
    report = folder / "toolchain.json"
    subprocess.run([command, "bench", "chain:1", "--steps", "1", "--repeat", "1", "--json", report],
                   check=True, stdout=subprocess.DEVNULL)
    provenance = json.loads(report.read_text())["provenance"]
    return f"{provenance['compiler']} {provenance['flags']}"


def count(command, folder, model, steps, settings):
    """Instructions of one solution without reading, assembling and writing; and its iterations."""
    bench = [command, "bench", model, "--steps", str(steps), "--repeat", "1",
             "--json", folder / "run.json"]
    for setting in settings:
        bench += ["--set", setting]
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'out'}",
                "--toggle-collect=catena::MainSystem::Solve(*"]
    text = subprocess.run(valgrind + bench, check=True, capture_output=True, text=True).stderr
    iterations = json.loads((folder / "run.json").read_text())["runs"][0]["counts"]["iterations"]
    return {"instructions": int(re.search(r"Collected : (\d+)", text).group(1)),
            "iterations": iterations}


def measure(command):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        counts = {" ".join([model, str(steps), *settings]):
                  count(command, folder, model, steps, settings) for model, steps, settings in RUNS}
        return {"toolchain": toolchain(command, folder), "counts": counts}


def main(command, update):
    if not update:
        expected = json.loads(FILE.read_text())
        with tempfile.TemporaryDirectory() as name:
            found = toolchain(command, pathlib.Path(name))
        if found != expected["toolchain"]:
            print(f"instruction counts left out: they belong to {expected['toolchain']},\n"
                  f"this program was made by {found}")
            return 0
    now = measure(command)
    if update:
        FILE.write_text(json.dumps(now, indent=1) + "\n")
        print(f"written {FILE}")
        return 0
    failed = expected["counts"].keys() != now["counts"].keys()
    for name, new in now["counts"].items():
        old = expected["counts"].get(name, new)
        ratio = new["instructions"] / old["instructions"]
        beyond = abs(ratio - 1) > TOLERANCE
        failed = failed or beyond
        print(f"{name:82} {old['instructions']:12} -> {new['instructions']:12}  {ratio:6.3f}"
              f"  iterations {old['iterations']} -> {new['iterations']}"
              + ("  BEYOND 2 %" if beyond else ""))
    if failed:
        print("If the change is meant: ./dev bench instructions --update, in the same commit.")
    return 1 if failed else 0


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if not 1 <= len(arguments) <= 2 or arguments[1:] not in ([], ["--update"]):
        sys.exit(__doc__)
    sys.exit(main(arguments[0], len(arguments) == 2))
