"""Constants of judgement, each with the simulation that set it: commands of tests/benchmarks.

Elsewhere stand only tolerances of rounding, and numbers of steps, replicates and bytes.
"""

# How many samples there must be.

# Of fewer samples one changes a proportion by more than a tenth; so do fewer that differ between
# models, that have the weights of a cell, or that a few clusters are worth.
# `coverage.py --only matrices,groups,paired,sampling,clusters`
FEW = 10
# Fewer of one kind, such as misses, or samples of a class, do not tell how much they vary.
# `coverage.py --only matrices,clusters,sampling,areas`
FEW_HITS = 5
# Of fewer samples of the mean class a plain mean of what is no proportion is biased by more than
# replicates tell: from 2.5 on limits of F1 held in 88 %, from here on in 91 %. `averages.py`
FEW_OF_MEAN_CLASS = 3
# Fewer clusters do not give the variation between clusters. `coverage.py --only clusters`
FEW_CLUSTERS = 15
# Of fewer samples weights may be light by chance: 15 misses of log-normal weights missed the
# proportion in 15 %. `coverage.py --only sampling`
ENOUGH_WEIGHTS = 100
# In the worst of simulations 85 % of the limits of 10 items were right, and 90 % of 20.
# `coverage.py --only labels`
FEW_ITEMS = 20
# With fewer samples the correction of Nadeau & Bengio is too small for repeated folds.
# `compared_learners.py`
FEW_OF_FOLDS = 500
# With fewer samples that one of two models alone has right, or on which both agree, limits without
# pseudo-samples miss more than one difference in ten. `tests/statistics/test_named_methods.py`
FEW_ON_A_SIDE = 3

# The weights of shares beyond a watched bound, whose mean it is, are worth so many. `watch.py`
OF_SHARES = 20

# How far samples may be from what a method takes for granted.

# Weights depend on the actual class alone as far as they differ more than so many times as much
# within predictions as within classes; on the prediction alone likewise.
# `coverage.py --only weights,sampling`
OF_ONE_SIDE = 4
# Replicates whose mean is farther off, in standard deviations, say that most classes err alike.
# `coverage.py --only prevalence`
MOST_BIASED = 0.5
# With a larger share of samples in cells with so few labels limits are unreliable: with a third,
# tests at 5 % rejected in 22 %. `partial_labels.py`
MOST_IN_SMALL_CELLS = 0.1
# With 1 label in each, 95 % intervals covered 85 %. `partial_labels.py`
FEW_IN_CELL = 4

# Cross-validation.

# The least factor of the counts' variance for a refitted model. `cross_validated.py`
LEAST_INFLATION = 1.25
# The same where groups are kept together. `cross_validated.py`
LEAST_INFLATION_OF_GROUPS = 1.5
# An extension for the samples that folds' models lack is large from this share of the half-width.
# `cross_validated.py`
LARGE_EXTENSION = 0.25
# By chance numbers of predicted classes vary as much in a smaller share of data sets.
# `cross_validated.py`
SUSPECT = 0.01
# Limits of a difference are no narrower than if one learner alone had so many samples right; so
# many are added to those of two models. `compared_learners.py`, `coverage.py --only paired`
DISCORDANT = 2.0
