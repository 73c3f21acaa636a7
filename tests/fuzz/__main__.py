"""The command line: `python -m tests.fuzz --cases 100000 --seed 7`."""

import argparse
import sys

from tests.fuzz.run import FAMILIES, run_cases, show_case


def main() -> int:
    """Run one case that is shown, or many that are summed up; the exit status is 1
    if any is wrong.
    """
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Compare the metrics with exact values."
    )
    parser.add_argument(
        "--cases", type=int, default=5000, help="how many cases to run (default: 5000)"
    )
    parser.add_argument("--seed", type=int, default=0, help="which cases (default: 0)")
    parser.add_argument("--case", type=int, help="run this one case and show its inputs")
    parser.add_argument("--family", choices=FAMILIES, help="draw all cases from this family")
    arguments = parser.parse_args()
    if arguments.case is not None:
        return int(not show_case(arguments.seed, arguments.case, arguments.family))
    result = run_cases(
        arguments.seed,
        range(arguments.cases),
        family=arguments.family,
        tell=lambda line: print(line, flush=True),
        progress=lambda line: print(line, file=sys.stderr, flush=True),
    )
    print(result.summary())
    return int(bool(result.failures))


if __name__ == "__main__":
    sys.exit(main())
