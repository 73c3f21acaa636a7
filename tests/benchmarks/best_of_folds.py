"""How often the best of equal candidates of a search is told from another one.

`python tests/benchmarks/best_of_folds.py [--draws 2000]` prints the shares of searches: corrected
by Bonferroni for the other candidates, for all pairs, and with a candidate chosen beforehand.
Scores of folds have the correlation that Nadeau & Bengio (2003) take for granted.
"""

import argparse

import numpy as np
from scipy import stats

LEVEL = 0.05


def shares(n_candidates, n_folds, test_share, correlation, n_draws, random):
    """The shares of draws in which any candidate is told from the best, or from the first."""
    of_folds = test_share / (1 + test_share)

    def noise(n):
        common, own = (random.standard_normal((n_draws, n, k)) for k in (1, n_folds))
        return np.sqrt(of_folds) * common + np.sqrt(1 - of_folds) * own

    scores = np.sqrt(1 - correlation) * noise(n_candidates) + np.sqrt(correlation) * noise(1)
    draws = np.arange(n_draws)

    def least_p(reference):
        differences = scores - scores[draws, reference][:, None]
        error = np.sqrt((1 / n_folds + test_share) * differences.var(-1, ddof=1))
        with np.errstate(invalid="ignore"):
            t = np.abs(differences.mean(-1)) / error
        return np.nanmin(2 * stats.t.sf(t, n_folds - 1), axis=1)

    with_best, with_first = least_p(scores.mean(-1).argmax(1)), least_p(np.zeros(n_draws, int))
    n_others = n_candidates - 1
    n_pairs = n_candidates * n_others / 2
    for p_values, n in ((with_best, n_others), (with_best, n_pairs), (with_first, n_others)):
        yield np.mean(p_values < LEVEL / n)


def main():
    """Print a line for each setting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=2000)
    n_draws, random = parser.parse_args().draws, np.random.default_rng(0)
    for n_folds, test_share in ((5, 1 / 4), (10, 1 / 9), (50, 1 / 9)):
        for n_candidates in (2, 3, 5, 10, 30):
            for correlation in (0.0, 0.9):
                found = shares(n_candidates, n_folds, test_share, correlation, n_draws, random)
                of_each = " ".join(f"{share:.3f}" for share in found)
                print(f"{n_folds} folds, {n_candidates} candidates, {correlation}: {of_each}")


if __name__ == "__main__":
    main()
