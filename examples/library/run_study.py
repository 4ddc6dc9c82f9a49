"""Runs a study through the command line and reads what came of it. Needs the Python standard library only.

    python3 run_study.py first.study.yaml

The command is `npx whatif`; the variable WHATIF_COMMAND names another, for example "node node_modules/.bin/whatif".
"""

import json
import os
import shlex
import subprocess
import sys

# `whatif explain CODE` says more of each.
EXIT_CODES = {
    3: "the study file is invalid",
    4: "the study does not fit the data",
    5: "authentication or configuration",
    6: "over budget or quota",
    7: "an upload or a generation failed",
    8: "fewer rows than the study accepts",
    9: "a gate failed: the results are there; review them",
    10: "another process runs this study",
    11: "deadline or network: run again to go on",
    130: "interrupted: run again to go on",
}


def run_study(path, *options):
    """Returns the JSON document of `whatif run`. Raises RuntimeError where there is none."""
    command = shlex.split(os.environ.get("WHATIF_COMMAND", "npx whatif"))
    finished = subprocess.run(
        [*command, "run", path, "--json", *options], stdout=subprocess.PIPE, encoding="utf-8", check=False
    )
    try:
        return json.loads(finished.stdout)
    except json.JSONDecodeError:
        raise RuntimeError(f"no JSON document; exit code {finished.returncode}") from None


def show(manifest):
    for scenario_id, scenario in manifest["scenarios"].items():
        rows = scenario["rows"]
        print(f"{scenario_id}: {rows['counted'] or 0} of {rows['requested']} rows")
        for column, result in scenario["shares"].items():
            for level, share in result["levels"].items():
                print(f"  {column} = {level}: target {share['target']:.2%}, achieved {share['achieved']:.2%}")
    for name, comparison in manifest["comparisons"].items():
        print(f"{name}, against {comparison['against']}")
        for scenario_id, result in comparison["scenarios"].items():
            if result["status"] != "compared":
                print(f"  {scenario_id}: {result['status']}")
            for column, levels in result["shares"].items():
                for level, share in levels.items():
                    print(f"  {scenario_id}: {column} = {level} changes by {100 * share['delta']:+.2f} points")
            for column, mean in result["means"].items():
                if mean["delta"] is not None:
                    print(f"  {scenario_id}: mean of {column} changes by {mean['delta']:+g}")


def main(arguments):
    if not arguments:
        print("name a study file", file=sys.stderr)
        return 2
    document = run_study(*arguments)
    for finding in document["diagnostics"]:
        print(f"{finding['severity']} {finding['code']}: {finding['summary']}", file=sys.stderr)
    data = document["data"] or {}
    if data.get("message"):
        print(data["message"], file=sys.stderr)
    code = document["exit_code"]
    if code in EXIT_CODES:
        print(f"exit code {code}: {EXIT_CODES[code]}", file=sys.stderr)
    if data.get("manifest"):
        show(data["manifest"])
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
