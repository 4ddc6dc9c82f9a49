# Standard errors of analyses of generated rows; see the Python client for the same rules.

# `standard_error`: of a statistics program, which takes each generated row for a person. `factor`: of the scenario, sqrt(1 + N / n_eff).
whatif_error <- function(standard_error, factor) {
  if (is.null(factor) || any(is.na(factor))) {
    stop("the factor is not known: too few rows of the seed stand behind the scenario", call. = FALSE)
  }
  standard_error * factor
}

# One estimate of m generated tables. `raab`: of one model (Raab, Nowok and Dibben 2016); `rubin`: of models that were each trained on a
# bootstrap sample of the seed (Raghunathan, Reiter and Rubin 2003).
whatif_pool <- function(estimates, standard_errors, factors = NULL, rule = c("raab", "rubin")) {
  rule <- match.arg(rule)
  m <- length(estimates)
  if (m == 0 || length(standard_errors) != m) stop("estimates and standard errors must be as many", call. = FALSE)
  v <- mean(standard_errors^2)
  if (rule == "raab") {
    if (length(factors) != m || anyNA(factors)) stop("the rule raab needs the standard_error_factor of each table", call. = FALSE)
    variance <- v * (mean(factors^2 - 1) + 1 / m)
  } else {
    if (m < 2) stop("the rule rubin needs at least two tables", call. = FALSE)
    variance <- (1 + 1 / m) * stats::var(estimates) - v
    if (variance <= 0) {
      stop("the rule rubin gives no positive variance here: the tables vary too little among each other", call. = FALSE)
    }
  }
  c(estimate = mean(estimates), standard_error = sqrt(variance))
}
