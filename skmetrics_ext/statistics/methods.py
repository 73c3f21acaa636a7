"""The one table of methods: question x design x class of function -> methods -> names, sources."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple


class Method(NamedTuple):
    """A method: the name that results show, who published it, and what it needs."""

    shown: str
    source: str
    # Of what: hits and n of a proportion, limits of two values, derivatives, replicates, ranks.
    needs: str = "hits and n"
    # What its limits have a caveat for, by name and by default.
    caveat: Literal["", "few samples", "few hits or misses"] = ""
    # Whether each limit by itself holds as often as both.
    holds_on_each_side: bool = False


# By the names that `method=` takes, and others.
METHODS = {
    # Limits of a value.
    "mid-p": Method("mid-P", "Lancaster 1961; Berry & Armitage 1995"),
    "wilson": Method("Wilson", "Wilson 1927", caveat="few hits or misses"),
    "jeffreys": Method("Jeffreys", "Brown, Cai & DasGupta 2001", caveat="few hits or misses"),
    "clopper-pearson": Method("Clopper-Pearson", "Clopper & Pearson 1934", holds_on_each_side=True),
    "korn-graubard": Method("Korn-Graubard", "Korn & Graubard 1998", holds_on_each_side=True),
    "mid-p-mover": Method(
        "MOVER of mid-P", "Zou & Donner 2008; Donner & Zou 2012", "both limits", ""
    ),
    "mover": Method(
        "MOVER", "Newcombe 1998; Donner & Zou 2012", "both limits", "few hits or misses"
    ),
    "exact-mover": Method(
        "MOVER of exact limits", "Zou & Donner 2008", "both limits", holds_on_each_side=True
    ),
    "effective-mid-p": Method(
        "mid-P of an effective n",
        "Korn & Graubard 1998; Dean & Pagano 2015",
        "derivatives",
        "few samples",
    ),
    "effective-clopper-pearson": Method(
        "Clopper-Pearson of an effective n",
        "Korn & Graubard 1998",
        "derivatives",
        "few samples",
        holds_on_each_side=True,
    ),
    "delta": Method(
        "delta",
        "Agresti 2013; on the logarithm Woolf 1955, Katz et al. 1978",
        "derivatives",
        "few samples",
    ),
    "smoothed-bootstrap": Method(
        "smoothed bootstrap", "Silverman & Young 1987", "replicates", "few samples"
    ),
    "bootstrap": Method("bootstrap", "Efron 1979", "replicates", "few samples"),
    "dirichlet": Method("Dirichlet", "Goutte & Gaussier 2005", "replicates", "few samples"),
    # Limits of a difference or ratio of independent groups; "mover" is of Wilson's limits.
    "mover-of-groups": Method(
        "MOVER of groups", "Zou & Donner 2008; Donner & Zou 2012", "limits of each group"
    ),
    "newcombe": Method("Newcombe", "Newcombe 1998", caveat="few hits or misses"),
    "miettinen-nurminen": Method(
        "Miettinen-Nurminen", "Miettinen & Nurminen 1985", caveat="few hits or misses"
    ),
    # At another prevalence, of partly known labels, and of a model that is fitted again.
    "logit-by-class": Method("logit by actual class", "Mercaldo, Lau & Zhou 2007"),
    "mover-by-class": Method("MOVER by actual class", "Newcombe 1998", "both limits"),
    "delta-by-class": Method("delta by actual class", "Agresti 2013", "derivatives"),
    "replicates-by-class": Method(
        "the wider of smoothed bootstrap and Dirichlet by actual class",
        "Silverman & Young 1987; Goutte & Gaussier 2005",
        "replicates",
    ),
    "dirichlet-by-stratum": Method(
        "Dirichlet by stratum and prediction", "Goutte & Gaussier 2005", "replicates"
    ),
    "repeated-cross-validation": Method(
        "repeated cross-validation", "Nadeau & Bengio 2003", "limits of each repetition"
    ),
    "mid-p-of-items": Method("mid-P of items", "Gwet 2008; Dean & Pagano 2015", "derivatives"),
    # Over new readers and new cases.
    "mid-p-of-readings": Method(
        "mid-P of readings", "Obuchowski & Rockette 1995; Dean & Pagano 2015", "readings"
    ),
    "t-of-readings": Method(
        "t of readers and cases", "Obuchowski & Rockette 1995; Satterthwaite 1946", "readings"
    ),
    # Limits of areas under curves, and at an operating point.
    "delong": Method("DeLong", "DeLong, DeLong & Clarke-Pearson 1988", "ranks"),
    "delong-logit": Method(
        "DeLong on the logit", "DeLong, DeLong & Clarke-Pearson 1988; Pepe 2003", "ranks"
    ),
    "delong-t": Method(
        "logit DeLong", "DeLong, DeLong & Clarke-Pearson 1988; of clusters Obuchowski 1997", "ranks"
    ),
    "newcombe-5": Method("Newcombe's method 5", "Newcombe 2006", "area and n"),
    "logit": Method("logit", "Boyd, Eng & Page 2013", "derivatives"),
    "melded": Method("melded", "Fay, Proschan & Brittain 2015", "replicates"),
    # Limits of a difference of two models or areas on the same samples.
    "tango": Method("Tango", "Tango 1998", "discordant pairs", ""),
    # Of a ratio of two models on the same samples.
    "tang": Method("Tang", "Tang, Tang & Chan 2003", "discordant pairs", ""),
    "zou": Method("Zou", "Zou 2007", "both limits"),
    "zou-yue": Method("Zou & Yue", "Zou & Yue 2013", "both limits"),
    # Tests of equality; an inverted one rejects what its limits exclude.
    "inverted": Method("inverted", "Casella & Berger 2002, chapter 9", "limits"),
    "permutation": Method("permutation", "Chung & Romano 2013", "permuted groups"),
    "chi-squared": Method("chi-squared", "Pearson 1900; Wald 1943", "derivatives"),
    "mcnemar": Method("McNemar mid-p", "Fagerland, Lydersen & Laake 2013", "discordant pairs", ""),
    "score": Method("score", "Rao 1948", "derivatives"),
    # Alarms over time.
    "e-process": Method(
        "e-process",
        "Robbins 1970; Shin, Ramdas & Rinaldo 2024; Waudby-Smith & Ramdas 2024",
        "numbers of each period",
    ),
    # Planned areas.
    "normal-scores": Method(
        "DeLong of normal scores", "Hanley & McNeil 1982; Obuchowski & McClish 1997", "areas"
    ),
    # Of several groups: a difference in all of them, and equal ones.
    "intersection-union": Method("intersection-union", "Berger 1982", "p-values"),
    "cochran-q": Method("Cochran's Q", "Cochran 1954; Welch 1951", "limits of each group"),
    "corrected-t": Method("corrected t test", "Nadeau & Bengio 2003", "scores of folds"),
}

# Of values that are not differentiable everywhere all but those that need derivatives apply.
REPLICATED = ("smoothed-bootstrap", "bootstrap", "dirichlet")
OF_SHARE = ("mid-p", "wilson", "jeffreys", "clopper-pearson", *REPLICATED, "delta")
OF_RATES = ("mid-p-mover", "mover", "exact-mover")
BY_DELTA = ("delta", "smoothed-bootstrap")
OF_GROUPS = ("delta", "bootstrap", "smoothed-bootstrap")
OF_PAIRS = (*BY_DELTA, "bootstrap")
ONE_VALUE = ("mid-p", "wilson", "korn-graubard")

# Question -> design -> class of function, the narrowest first -> methods, the best first: where
# there are several, `method=` may name one of them. "any" are all other designs or classes.
TABLE: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {
    "value": {
        "independent": {
            "share": OF_SHARE,
            "overlap": OF_SHARE,
            "ratio of two rates": (*OF_RATES, "delta", *REPLICATED),
            "two rates": (*OF_RATES, *REPLICATED, "delta"),
            "ratio": ("delta", *REPLICATED),
            "bounded": ("effective-mid-p", "effective-clopper-pearson", *REPLICATED, "delta"),
            "any": (*REPLICATED, "delta"),
        },
        # Numbers of actual classes that were chosen, of values that depend on these.
        "fixed margins": {"ratio": ("delta", *REPLICATED), "any": (*REPLICATED, "delta")},
        # Values that count errors of both kinds may lack one of them, which pseudo-samples of the
        # delta method represent.
        "weighted": {
            "share of both errors": ("delta", *ONE_VALUE, "smoothed-bootstrap"),
            "function of a share": ("delta", *ONE_VALUE, "smoothed-bootstrap"),
            "share": (*ONE_VALUE, *BY_DELTA),
            "two rates": (*OF_RATES, *BY_DELTA),
            "any": BY_DELTA,
        },
        "clustered": {
            "function of a share": ("delta", *ONE_VALUE, "smoothed-bootstrap"),
            "share": (*ONE_VALUE, *BY_DELTA),
            "two rates": (*OF_RATES, *BY_DELTA),
            "any": BY_DELTA,
        },
        # Ratios without an upper end, entropies, kinks and own functions were not simulated.
        "crossed": {
            "ratio of two rates": (),
            "ratio": (),
            **dict.fromkeys(
                ("function of a share", "share", "two rates", "bounded", "mean of classes"),
                ("mid-p-of-readings",),
            ),
            "any": (),
        },
        "another prevalence": {
            "one class of several": ("mover-by-class",),
            "share of predicted": ("logit-by-class",),
            "any": ("replicates-by-class",),
        },
        "another prevalence of weighted or clustered": {"any": ("delta-by-class",)},
        "partly labelled": {"any": ("dirichlet-by-stratum",)},
        "cross-validated": {"any": ("repeated-cross-validation",)},
    },
    "difference of groups": {
        "independent": {
            "proportion": ("mover-of-groups", "newcombe", "miettinen-nurminen", *OF_GROUPS),
            "any": ("mover-of-groups", *OF_GROUPS),
        },
        "any": {"any": ("mover-of-groups",)},
    },
    "ratio of groups": {
        "independent": {
            "proportion": ("mover-of-groups", "mover", *OF_GROUPS),
            "any": ("mover-of-groups", *OF_GROUPS),
        },
        "any": {"any": ("mover-of-groups",)},
    },
    # By the limits of two groups, and of those by a named method.
    "equality of groups": {
        "independent": {"two groups": ("inverted",), "any": ("permutation", "chi-squared")},
        "any": {"any": ("inverted",)},
    },
    "difference": {
        "independent": {"share": ("tango", "mcnemar", "delta", "bootstrap"), "any": OF_PAIRS},
        "partly labelled": {"any": ("dirichlet-by-stratum",)},
        "cross-validated": {"any": ("repeated-cross-validation",)},
        "crossed": {"any": ("t-of-readings",)},
        "any": {"any": OF_PAIRS},
    },
    "ratio of models": {
        "independent": {"share from 0": ("tang", "delta", "bootstrap"), "any": OF_PAIRS},
        "any": {"any": OF_PAIRS},
    },
    "equality of models": {
        "independent": {
            "share": ("mcnemar",),
            "share of predicted": ("inverted",),
            "any": ("inverted", "score"),
        },
        "partly labelled": {"any": ("inverted",)},
        "cross-validated": {"any": ("inverted",)},
        "crossed": {"any": ("inverted",)},
        "any": {"share of predicted": ("inverted",), "any": ("inverted", "score")},
    },
    "difference in every group": {"any": {"any": ("intersection-union",)}},
    "equality of differences": {"any": {"any": ("cochran-q",)}},
    # Bootstraps resample independent samples.
    "area": {
        "any": {
            "roc_auc": ("delong-logit", "delong", "bootstrap"),
            "average_precision": ("logit",),
            "operating point": ("melded",),
        }
    },
    "difference of areas": {
        "any": {
            "roc_auc": ("delong", "delong-logit", "bootstrap"),
            "average_precision": ("zou",),
            "operating point": ("zou", "tango"),
        }
    },
    "agreement": {"any": {"any": ("mid-p-of-items",)}},
    "folds": {"any": {"any": ("corrected-t",)}},
    "alarms": {"any": {"any": ("e-process",)}},
    "planned area": {"any": {"any": ("normal-scores",)}},
}
# Who has what is not in the table.
OF_TWO_PROPORTIONS = (
    "Wald's limits, Agresti & Caffo's and Koopman's are in statsmodels' confint_proportions_2indep."
)
OF_PROC = (
    "R's pROC also has limits of partial and of smoothed areas, and Venkatraman's test of two."
)
ELSEWHERE = {
    "value": "Wald's limits, and Agresti & Coull's, are in statsmodels' proportion_confint.",
    "difference of groups": OF_TWO_PROPORTIONS,
    "ratio of groups": OF_TWO_PROPORTIONS,
    "difference": "McNemar's exact and asymptotic tests are in statsmodels' mcnemar; limits by "
    "Newcombe, or Bonett & Price, in R's contingencytables.",
    "area": OF_PROC,
    "difference of areas": OF_PROC,
}


def methods_for(question: str, design: str, classes: Iterable[str] = ()) -> tuple[str, ...]:
    """The methods for the first of some classes of function that has its own, the best first."""
    rows = TABLE[question].get(design) or TABLE[question]["any"]
    return rows[next(of_class for of_class in (*classes, "any") if of_class in rows)]


def names_for(question: str) -> list[str]:
    """What `method=` may name in a question: where there are several, any of them."""
    found = [names for rows in TABLE[question].values() for names in rows.values()]
    asked = {name for names in found if len(names) > 1 for name in names}
    return [name for name in METHODS if name in asked]


def check_method(asked: str, question: str) -> None:
    """Refuse what is no method for a question."""
    if asked not in ("auto", *names_for(question)):
        raise ValueError(
            f"method must be 'auto' or one of {names_for(question)}; got {asked!r}. "
            f"{ELSEWHERE.get(question, '')}".rstrip()
        )


def check_method_of_area(asked: str, question: str, of_class: str) -> None:
    """Refuse what is no method for an area, or for the difference of two."""
    names = ["auto", *methods_for(question, "any", [of_class])]
    if asked not in names:
        raise ValueError(f"method must be one of {names}; got {asked!r}. {ELSEWHERE[question]}")


def chosen(asked: str, fitting: Sequence[str], what: str, *, prefers_exact: bool = False) -> str:
    """The method named, or the best one, or one that holds on each side."""
    if asked == "auto":
        holding = [name for name in fitting if METHODS[name].holds_on_each_side]
        return [*holding, *fitting][0] if prefers_exact else fitting[0]
    # Of equal weights both are the same.
    if asked == "korn-graubard" and "clopper-pearson" in fitting:
        return "clopper-pearson"
    if asked not in fitting:
        raise ValueError(
            f"method={asked!r} does not apply to {what}: choose one of {sorted(fitting)}."
        )
    return asked


def methods_in(text: str) -> list[str]:
    """The methods that a result's text shows, in its order."""
    places = {}
    for name, method in sorted(METHODS.items(), key=lambda item: -len(item[1].shown)):
        if (place := text.find(method.shown)) >= 0:
            places[name] = place
            # A shorter name in this one is no other method.
            text = text.replace(method.shown, "\0" * len(method.shown))
    return sorted(places, key=places.__getitem__)


def shown(*names: str) -> str:
    """What results show of several methods together."""
    return ", ".join(METHODS[name].shown for name in names)


def shown_wider(*names: str) -> str:
    """What results show of limits as wide as by each of two methods."""
    return f"the wider of {' and '.join(METHODS[name].shown for name in names)}"
