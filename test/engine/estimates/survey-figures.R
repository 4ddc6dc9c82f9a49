# What R's package survey says about the cases that run-survey.ts writes into a folder.
#
#   Rscript survey-figures.R FOLDER > figures.csv
#
# FOLDER has cases.csv (a case a row), sides.csv (a row for each share, range and mean of a case's side) and a file of rows for
# each table. Unlisted levels of a column, missing ones among them, are one group.

suppressMessages(library(survey))
options(survey.lonely.psu = "adjust")

folder <- commandArgs(trailingOnly = TRUE)[1]
read <- function(name) read.csv(file.path(folder, name), colClasses = "character", na.strings = "", check.names = FALSE)
cases <- read("cases.csv")
sides <- read("sides.csv")
tables <- sapply(unique(cases$table), function(name) read(paste0(name, ".csv")), simplify = FALSE)

# The values of a column, or of several ("region & plan") as one column of combinations.
value_of <- function(rows, column) {
  parts <- strsplit(column, " & ", fixed = TRUE)[[1]]
  if (length(parts) == 1) rows[[column]] else do.call(paste, c(unname(as.list(rows[parts])), sep = " & "))
}

# The rows inside a side's ranges, its columns as groups, the share of every group, and what its means make a total of 0.
side_of <- function(rows, name, side) {
  asked <- sides[sides$case == name & sides$side == side, ]
  inside <- rep(TRUE, nrow(rows))
  for (k in which(!is.na(asked$min))) {
    value <- as.numeric(rows[[asked$column[k]]])
    inside <- inside & !is.na(value) & value >= as.numeric(asked$min[k]) & value <= as.numeric(asked$max[k])
  }
  shares <- asked[!is.na(asked$share), ]
  groups <- list()
  targets <- list()
  for (column in unique(shares$column)) {
    of <- shares[shares$column == column, ]
    has <- match(value_of(rows, column), of$level)
    groups[[column]] <- factor(ifelse(is.na(has), 0, has))
    listed <- as.numeric(of$share)
    targets[[column]] <- c("0" = 1 - sum(listed), setNames(listed, seq_along(listed)))
  }
  numbers <- list()
  for (k in which(!is.na(asked$mean))) {
    value <- as.numeric(rows[[asked$column[k]]])
    numbers[[asked$column[k]]] <- ifelse(is.na(value), 0, value - as.numeric(asked$mean[k]))
  }
  list(inside = inside, groups = groups, targets = targets, numbers = numbers)
}

calibrated <- function(design, side, total) {
  if (length(side$groups) + length(side$numbers) == 0) return(design)
  names <- sprintf("group%d", seq_along(side$groups))
  means <- sprintf("number%d", seq_along(side$numbers))
  population <- c("(Intercept)" = total)
  for (k in seq_along(names)) {
    group <- side$groups[[k]]
    target <- side$targets[[k]][levels(group)]
    population <- c(population, setNames(total * target[-1], paste0(names[k], levels(group)[-1])))
  }
  population <- c(population, setNames(rep(0, length(means)), means))
  calibrate(design, reformulate(c(names, means)), population = population, calfun = "raking", epsilon = 1e-11, maxit = 500,
    compress = FALSE)
}

with_groups <- function(rows, side) {
  for (k in seq_along(side$groups)) rows[[paste0("group", k)]] <- side$groups[[k]]
  for (k in seq_along(side$numbers)) rows[[paste0("number", k)]] <- side$numbers[[k]]
  rows
}

# The residuals that survey's own variance uses, of a calibration or without one.
residuals_of <- function(design, x) {
  for (fit in design$postStrata) x <- as.vector(qr.resid(fit$qr, x / fit$w) * fit$w)
  x
}

# The mean of a side, and the term of every row in its linearised error.
linearised <- function(rows, side, y, counts) {
  kept <- with_groups(rows, side)[side$inside, ]
  design <- calibrated(svydesign(ids = ~1, weights = ~w, data = kept), side, sum(kept$w))
  weight <- rep(0, nrow(rows))
  weight[side$inside] <- weights(design)
  total <- sum(weight * counts)
  mean <- sum((weight * counts * y)[counts == 1]) / total
  terms <- ifelse(counts == 1, weight * (y - mean) / total, 0)
  terms[side$inside] <- residuals_of(design, terms[side$inside])
  list(mean = mean, terms = terms)
}

# A quantile of a side, and the term of every row in its error: that of the share of rows up to it, times the slope of the quantile that
# the interval of svyquantile shows (Woodruff).
quantiled <- function(rows, side, y, counts, p) {
  kept <- with_groups(rows, side)[side$inside, ]
  # Rows that do not count keep a place without weight in a calibrated design, and must not be missing.
  kept$y <- ifelse(counts[side$inside] == 1, y[side$inside], 0)
  design <- calibrated(svydesign(ids = ~1, weights = ~w, data = kept), side, sum(kept$w))
  counted <- subset(design, counts[side$inside] == 1)
  found <- svyquantile(~y, counted, p, ci = TRUE, interval.type = "mean", qrule = "school")$y
  at <- found[1, "quantile"]
  share <- svymean(~below, update(counted, below = as.numeric(y <= at)))
  slope <- (found[1, "ci.97.5"] - found[1, "ci.2.5"]) / (2 * qnorm(0.975) * as.numeric(SE(share)))
  one <- linearised(rows, side, ifelse(is.na(y), 0, -slope * (y <= at)), counts)
  list(mean = at, terms = one$terms)
}

# The mean of a side, and that of every replicate: each is raked anew.
replicated <- function(replicates, rows, side, y, counts) {
  replicates$variables <- with_groups(replicates$variables, side)
  design <- calibrated(subset(replicates, side$inside), side, sum(rows$w[side$inside]))
  counted <- subset(design, counts[side$inside] == 1)
  found <- svymean(y[side$inside & counts == 1], counted, return.replicates = TRUE)
  list(mean = as.numeric(found[[1]]), replicates = as.vector(found$replicates))
}

figures_of <- function(case) {
  rows <- tables[[case$table]]
  if (!is.na(case$every)) rows <- rows[seq(1, nrow(rows), by = as.integer(case$every)), ]
  rows$w <- if (is.na(case$weight)) 1 else as.numeric(rows[[case$weight]])
  raw <- rows[[case$outcome]]
  y <- if (is.na(case$level)) as.numeric(raw) else as.numeric(!is.na(raw) & raw == case$level)
  counts <- as.numeric(!is.na(y))
  if (!is.na(case$segment)) counts <- counts * (!is.na(rows[[case$segment]]) & rows[[case$segment]] == case$segment_level)
  scenario <- side_of(rows, case$name, "scenario")
  baseline <- side_of(rows, case$name, "baseline")
  designed <- if (is.na(case$cluster)) {
    svydesign(ids = ~1, weights = ~w, data = rows)
  } else if (is.na(case$stratum)) {
    svydesign(ids = reformulate(case$cluster), weights = ~w, data = rows)
  } else {
    svydesign(ids = reformulate(case$cluster), strata = reformulate(case$stratum), weights = ~w, data = rows, nest = TRUE)
  }
  if (case$method == "linearised") {
    of <- if (is.na(case$quantile)) linearised else function(...) quantiled(..., as.numeric(case$quantile))
    one <- of(rows, scenario, y, counts)
    other <- of(rows, baseline, y, counts)
    variance <- survey:::svyrecvar(one$terms - other$terms, designed$cluster, designed$strata, designed$fpc)
    return(data.frame(case = case$name, scenario = one$mean, baseline = other$mean, standard_error = sqrt(as.numeric(variance))))
  }
  replicates <- if (case$method == "jackknife") {
    as.svrepdesign(designed, type = if (is.na(case$stratum)) "JK1" else "JKn", mse = TRUE)
  } else {
    told <- as.matrix(sapply(rows[grep("^replicate ", names(rows))], as.numeric))
    kind <- case$method
    if (kind == "Fay") {
      svrepdesign(data = rows, weights = ~w, repweights = told, type = "Fay", rho = as.numeric(case$rho), combined.weights = TRUE, mse = TRUE)
    } else if (kind == "JKn") {
      svrepdesign(data = rows, weights = ~w, repweights = told, type = "JKn", combined.weights = TRUE, mse = TRUE,
        scale = 1, rscales = as.numeric(strsplit(case$rscales, " ")[[1]]))
    } else {
      svrepdesign(data = rows, weights = ~w, repweights = told, type = kind, combined.weights = TRUE, mse = TRUE)
    }
  }
  one <- replicated(replicates, rows, scenario, y, counts)
  other <- replicated(replicates, rows, baseline, y, counts)
  difference <- one$mean - other$mean
  variance <- svrVar(one$replicates - other$replicates, replicates$scale, replicates$rscales, mse = TRUE, coef = difference)
  data.frame(case = case$name, scenario = one$mean, baseline = other$mean, standard_error = sqrt(as.numeric(variance)))
}

all <- do.call(rbind, lapply(seq_len(nrow(cases)), function(k) figures_of(cases[k, ])))
for (column in names(all)[-1]) all[[column]] <- format(all[[column]], digits = 15, trim = TRUE)
write.csv(all, row.names = FALSE)
