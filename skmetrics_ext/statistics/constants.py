"""Constants of judgement, each with the simulation that set it: commands of tests/benchmarks.

Elsewhere stand only tolerances of rounding, and numbers of steps, replicates and bytes.
"""

# How many samples there must be.

# Of fewer samples one changes a proportion by more than a tenth; so do fewer that differ between
# models, that have the weights of a cell, or that a few clusters are worth; of 5 to 19 readers a
# share within a tenth of 0 or 1 is too near. Of ratios of models, fewer samples that make either
# value more than 0. `crossed.py`, `ratios.py`,
# `coverage.py --only matrices,groups,paired,sampling,clusters`
FEW = 10
# Fewer of one kind, such as misses, samples of a class, samples beyond a threshold, or readers, do
# not tell how much they vary; so do fewer weights or clusters that decide a ratio of models.
# `coverage.py --only matrices,clusters,sampling,areas`; `crossed.py`; `ratios.py`
FEW_HITS = 5
# With fewer hits or misses (Wilson), or samples that one of two models alone has right, more than
# one limit in ten misses; of fewer samples of the mean class a plain mean of what is no proportion
# is biased by more than replicates tell: from 2.5 on limits of F1 held in 88 %, from here on in
# 91 %. `averages.py`, `coverage.py --only matrices,paired`
FEWEST = 3
# Of costs by an effective number, with fewer that move them limits held in as few as 31 %, from
# here on in 88 %, where a fifth or more of all samples had so many. `coverage.py --only costs`
FEW_THAT_MOVE = 2
# Fewer clusters do not give the variation between clusters. `coverage.py --only clusters`
FEW_CLUSTERS = 15
# Of fewer samples weights may be light by chance: 15 misses of log-normal weights missed the
# proportion in 15 %; DeLong's variance of one area is unreliable; so are variances of
# models' differences in groups.
# `coverage.py --only sampling,areas`; `same_in_groups.py`
ENOUGH = 100
# DeLong's limits of two areas hold alone from so many samples of the rarer class, so many of which
# either model misranks (ranks well, if fewer). `two_areas.py`
MANY_OF_RARER = 30
# The same. `two_areas.py`
MANY_MISRANKED = 6
# In the worst of simulations 85 % of the limits of 10 rated items were right, and 90 % of 20; of so
# many readers also those of shares near 0 and 1 (`crossed.py`); below
# so many samples of the rarer class, or FEWEST misranked ones, no limit of two areas is nearer than
# Zou & Yue's. `coverage.py --only labels`, `two_areas.py`
FEW_UNITS = 20
# With fewer samples the correction of Nadeau & Bengio is too small for repeated folds.
# `compared_learners.py`
FEW_OF_FOLDS = 500
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
# With 1 label in each cell, 95 % intervals covered 85 %. `partial_labels.py`
FEW_IN_CELL = 4
# With a larger share of samples in cells with fewer labels limits are unreliable: with a third,
# tests at 5 % rejected in 22 %. `partial_labels.py`
MOST_IN_SMALL_CELLS = 0.1
# A larger share of undefined replicates is a caveat. `coverage.py --only matrices`
MOST_UNDEFINED = 0.05
# Limits are extended by so many times the bias: that of small counts exceeds that of replicates.
# `coverage.py --only matrices`
BIAS_REACHED = 4
# Of averages of F-beta and its kin twice suffices. `averages.py`
BIAS_OF_OVERLAPS_REACHED = 2
# In simulations of binormal scores (20 to 1,000 samples of a class, areas of .76 and .96) 95 %
# limits of average precision cover 91 % at least where a negative counts as up to so many positive
# ones, and 84 % where it counts as 12. `coverage.py --only areas`
MOST_OUTWEIGHED = 5
# The same in clusters: 92 % and 74 %. `coverage.py --only areas`
MOST_OUTWEIGHED_IN_CLUSTERS = 3

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
