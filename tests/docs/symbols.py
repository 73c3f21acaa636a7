"""The symbols in the formulas of metrics, as docs/metrics/index.md explains them."""

LINES = (
    "### Of one class",
    "",
    "The other classes are the rest.",
    "",
    (
        "- `tp`, `fp`, `fn`, `tn`: the number of true positives, false positives, false negatives "
        "and true negatives; `n` is their sum, the number of samples."
    ),
    (
        "- `H` is `recall`, `F` is `false_positive_rate`; `probit` is the quantile function of "
        "the standard normal distribution."
    ),
    (
        "- `b` is the parameter `beta` of `fbeta`, `p` is `threshold_probability` of "
        "`net_benefit`; `alpha` and `beta` are parameters."
    ),
    "",
    "### Of all classes",
    "",
    (
        "- `M_ij`: the number of samples of actual class i that are predicted as j. `row_i` and "
        "`col_i` are the numbers of samples whose actual or predicted class is i; `tp_i` and "
        "`recall_i` are those of class i."
    ),
    (
        "- `n`: the number of samples. `trace`: the number correctly classified. `K`: the number "
        "of labels."
    ),
    "- `po`: observed agreement, `trace / n`. `pe`: agreement expected by chance.",
    (
        "- `p_ij` is `M_ij / n`; `p_i` and `q_j` are its marginals, `row_i / n` and `col_j / n`. "
        "`gwet_ac1` defines its own `q_i`."
    ),
    (
        "- `H(true)` and `H(pred)`: the entropies of the actual and predicted classes, in nats. "
        "`chi2`: Pearson's chi-squared statistic of the matrix."
    ),
    (
        "- `cost_ij`: the parameter `cost_matrix`. `y_i` and `y_j`: the labels as numbers. "
        "`s_ij`: Gerrity's score for predicting j when i is true."
    ),
    (
        "- In `confusion_entropy`, `P_j` is `(row_j + col_j) / 2n`, `p_jk` is `M_jk / (row_j + "
        "col_j)`, `p_kj` is `M_kj / (row_j + col_j)`, and the base of `log` is `2 (K - 1)`."
    ),
)
