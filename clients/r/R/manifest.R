# A manifest and the results beside it, as data frames.

whatif_manifest <- function(path) {
  if (dir.exists(path)) path <- file.path(path, "manifest.json")
  text <- paste(readLines(path, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  content <- jsonlite::fromJSON(text, simplifyVector = FALSE)
  if (!identical(content$manifest_version, 1L)) stop(path, " is no manifest of version 1", call. = FALSE)
  structure(list(path = normalizePath(path), content = content), class = "whatif_manifest")
}

print.whatif_manifest <- function(x, ...) {
  cat("whatif manifest of", x$content$study$name, "with", length(x$content$scenarios), "scenarios\n")
  invisible(x)
}

# A row for each difference. Shares are fractions of 1, means in the unit of their column.
whatif_answers <- function(manifest) {
  rows <- list()
  for (comparison in names(manifest$content$comparisons)) {
    scenarios <- manifest$content$comparisons[[comparison]]$scenarios
    for (scenario in names(scenarios)) {
      result <- scenarios[[scenario]]
      rows <- c(rows, differences_of(comparison, scenario, NA_character_, result))
      for (segment in result$segments) rows <- c(rows, differences_of(comparison, scenario, segment$level, segment))
    }
  }
  if (length(rows) == 0) rows <- list(row_of("", "", "", "", "", "", list(), NULL, NULL))[0]
  do.call(rbind, rows)
}

differences_of <- function(comparison, scenario, segment, result) {
  rows <- list()
  for (column in names(result$shares)) for (level in names(result$shares[[column]])) {
    pair <- result$shares[[column]][[level]]
    rows <- c(rows, list(row_of(comparison, scenario, segment, column, level, "share", pair, pair$against, pair$scenario)))
  }
  for (column in names(result$means)) {
    pair <- result$means[[column]]
    rows <- c(rows, list(row_of(comparison, scenario, segment, column, NA_character_, "mean", pair, pair$against$mean, pair$scenario$mean)))
  }
  for (column in names(result$quantiles)) for (share in names(result$quantiles[[column]])) {
    pair <- result$quantiles[[column]][[share]]
    rows <- c(rows, list(row_of(comparison, scenario, segment, column, NA_character_, paste("quantile", share), pair, pair$against, pair$scenario)))
  }
  rows
}

row_of <- function(comparison, scenario, segment, column, level, statistic, pair, against, in_scenario) {
  number <- function(...) {
    for (value in list(...)) if (!is.null(value)) return(as.numeric(value))
    NA_real_
  }
  data.frame(
    comparison = comparison, scenario = scenario, segment = segment, column = column, level = level, statistic = statistic,
    against = number(pair$answer$against, against), in_scenario = number(pair$answer$scenario, in_scenario),
    difference = number(pair$answer$difference, pair$delta),
    low = number(pair$interval[[1]]), high = number(pair$interval[[2]]), standard_error = number(pair$standard_error),
    beyond_chance = if (is.null(pair$beyond_chance)) NA else pair$beyond_chance,
    support = if (is.null(pair$support)) NA_character_ else pair$support,
    in_rows = number(pair$delta), stringsAsFactors = FALSE
  )
}

# A row for each share of a level that a scenario asks for.
whatif_targets <- function(manifest) {
  rows <- list()
  for (scenario in names(manifest$content$scenarios)) {
    shares <- manifest$content$scenarios[[scenario]]$shares
    for (column in names(shares)) for (level in names(shares[[column]]$levels)) {
      figures <- shares[[column]]$levels[[level]]
      # Bounds of a share are no number.
      target <- if (is.list(figures$target)) NA_real_ else figures$target
      rows <- c(rows, list(data.frame(
        scenario = scenario, column = column, level = level, target = target, achieved = figures$achieved,
        count = figures$count, stringsAsFactors = FALSE
      )))
    }
  }
  do.call(rbind, rows)
}

# The generated rows of a scenario: categorical columns are factors with their levels in order, labels are attributes.
whatif_rows <- function(manifest, scenario) {
  result <- manifest$content$scenarios[[scenario]]
  if (is.null(result)) {
    stop("there is no scenario ", scenario, "; there are ", paste(names(manifest$content$scenarios), collapse = ", "), call. = FALSE)
  }
  if (is.null(result$artifact)) stop("the scenario ", scenario, " has no rows: it is ", result$status, call. = FALSE)
  folder <- dirname(manifest$path)
  file <- normalizePath(file.path(folder, result$artifact$path))
  # A file of a stranger must not lead elsewhere.
  if (!startsWith(file, paste0(folder, "/"))) stop("the result of ", scenario, " lies outside the folder of the manifest", call. = FALSE)
  dataset <- manifest$content$datasets[[result$dataset]]
  kinds <- vapply(dataset$columns, function(column) column$kind, "")
  rows <- read_result(file, result$artifact$format, names(kinds)[kinds == "categorical"])
  for (name in intersect(names(dataset$columns), names(rows))) {
    column <- dataset$columns[[name]]
    if (column$kind != "categorical") next
    levels <- vapply(column$levels, function(one) one$level, "")
    found <- as.character(rows[[name]])
    rows[[name]] <- factor(found, c(levels, sort(setdiff(found[!is.na(found)], levels))), ordered = isTRUE(column$ordered))
  }
  for (name in intersect(names(dataset$labels), names(rows))) attr(rows[[name]], "label") <- dataset$labels[[name]]
  attr(rows, "standard_error_factor") <- result$standard_error_factor
  rows
}

read_result <- function(file, format, text_columns) {
  if (format == "csv") {
    head <- names(utils::read.csv(file, nrows = 1, check.names = FALSE, encoding = "UTF-8"))
    # Levels are text, also those that look like numbers.
    classes <- ifelse(head %in% text_columns, "character", NA)
    return(utils::read.csv(file, check.names = FALSE, na.strings = "", colClasses = classes, encoding = "UTF-8"))
  }
  needed <- if (format == "sav") "haven" else "arrow"
  if (!requireNamespace(needed, quietly = TRUE)) {
    stop("results in the form ", format, " need the package ", needed, "; `format: csv` in the study needs none", call. = FALSE)
  }
  as.data.frame(switch(format, sav = haven::read_sav(file), parquet = arrow::read_parquet(file), arrow::read_feather(file)))
}
