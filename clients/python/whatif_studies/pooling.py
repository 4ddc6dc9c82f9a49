"""Standard errors of your own analyses of generated rows."""

from math import sqrt
from typing import NamedTuple, Optional, Sequence


def corrected_error(standard_error: float, factor: Optional[float]) -> float:
    """A standard error of a statistics program, which takes each generated row for a person, made right for the population.

    factor: `standard_error_factor` of the scenario, sqrt(1 + N / n_eff) with N rows and n_eff effective rows (Raab, Nowok and
    Dibben 2016, with n_eff for their n).

    Raises ValueError where the factor is not known: then nobody knows the error.
    """
    if factor is None:
        raise ValueError("the factor is not known: too few rows of the seed stand behind the scenario")
    return standard_error * factor


class Pooled(NamedTuple):
    estimate: float
    standard_error: float


def pool(
    estimates: Sequence[float],
    standard_errors: Sequence[float],
    factors: Sequence[Optional[float]] = (),
    rule: str = "raab",
) -> Pooled:
    """One estimate of m generated tables (`replicates:` in a study).

    estimates, standard_errors: of each table, as a statistics program tells them.
    factors: `standard_error_factor` of each table; needed by `raab`.
    rule: `raab` for tables of one model, which whatif generates: v (N / n_eff + 1 / m), with v the mean of the squared errors
      (Raab, Nowok and Dibben 2016). `rubin` for tables whose models were each trained on a bootstrap sample of the seed:
      (1 + 1 / m) b - v, with b the variance between the estimates (Raghunathan, Reiter and Rubin 2003). Tables of one model
      vary too little among each other for it.

    Raises ValueError for lists of different lengths, for `raab` without factors, and for `rubin` with fewer than two tables or
    where its variance is not positive.
    """
    m = len(estimates)
    if m == 0 or len(standard_errors) != m:
        raise ValueError(f"{m} estimates need as many standard errors, got {len(standard_errors)}")
    mean = sum(estimates) / m
    v = sum(error**2 for error in standard_errors) / m
    if rule == "raab":
        if len(factors) != m or any(factor is None for factor in factors):
            raise ValueError("the rule raab needs the standard_error_factor of each table")
        ratio = sum(factor**2 - 1 for factor in factors) / m
        return Pooled(mean, sqrt(v * (ratio + 1 / m)))
    if rule == "rubin":
        if m < 2:
            raise ValueError("the rule rubin needs at least two tables")
        b = sum((one - mean) ** 2 for one in estimates) / (m - 1)
        variance = (1 + 1 / m) * b - v
        if variance <= 0:
            raise ValueError("the rule rubin gives no positive variance here: the tables vary too little among each other")
        return Pooled(mean, sqrt(variance))
    raise ValueError(f"the rule is raab or rubin, got {rule}")
