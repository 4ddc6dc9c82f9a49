# synthpop's CART under the command contract of the shared bench, so that `npm run bench:peers` can put it beside ours on
# tables for which the shared folder has no figures of it:
#
#   npm run bench:peers -- --engine "synthpop=Rscript bench/synthpop-runner.R"
#
# Needs R and the package synthpop; SYNTHPOP_SOURCE may name the folder of its R files instead (then only rpart and stringr are needed).
# Scenarios are not answered: the package conditions on nothing.

flags <- commandArgs(trailingOnly = TRUE)
flag <- function(name) flags[match(paste0("--", name), flags) + 1]

source_folder <- Sys.getenv("SYNTHPOP_SOURCE")
if (nzchar(source_folder)) {
  for (package in c("stats", "utils", "rpart", "stringr")) library(package, character.only = TRUE)
  for (file in list.files(source_folder, pattern = "\\.[rR]$", full.names = TRUE)) {
    if (basename(file) != "zzz.r") source(file)
  }
} else {
  library(synthpop)
}

# Column types are the bench's: numeric where its schema says so, otherwise levels; empty is missing; dates are days.
raw <- read.csv(flag("train"), colClasses = "character", na.strings = "", check.names = FALSE)
schema <- paste(readLines(flag("schema"), warn = FALSE), collapse = " ")
entries <- regmatches(schema, gregexpr("\\{[^{}]*\\}", schema))[[1]]
is_numeric <- grepl("\"type\": \"numeric\"", entries)
stopifnot(length(entries) == ncol(raw))
is_date <- vapply(raw, function(x) all(is.na(x) | grepl("^\\d{4}-\\d{2}-\\d{2}$", x)) && length(unique(x)) > 60, NA)
table <- as.data.frame(lapply(seq_along(raw), function(i) {
  if (is_date[i]) as.numeric(as.Date(raw[[i]])) else if (is_numeric[i]) as.numeric(raw[[i]]) else factor(raw[[i]])
}))
names(table) <- paste0("v", seq_along(raw))

# Factors of many levels go last, as the package advises: a split on one looks through all of its subsets.
levels_of <- vapply(table, nlevels, 0L)
visit <- order(ifelse(levels_of > 20, levels_of, 0), seq_along(table))
rows <- as.integer(flag("n"))
times <- system.time(
  made <- syn(table, method = "cart", visit.sequence = visit, k = rows, seed = 1, print.flag = FALSE,
              maxfaclevels = max(60, levels_of + 1), minnumlevels = 1)$syn
)

out <- as.data.frame(lapply(seq_along(raw), function(i) {
  if (is_date[i]) format(as.Date(round(made[[i]]), origin = "1970-01-01")) else as.character(made[[i]])
}))
names(out) <- names(raw)
write.csv(out, flag("out"), row.names = FALSE, na = "")

peak <- grep("^VmHWM", readLines("/proc/self/status"), value = TRUE)
peak_mib <- as.numeric(gsub("[^0-9]", "", peak)) / 1024
facts <- c(
  fit_and_sample_seconds = times[["elapsed"]], fit_and_sample_cpu_seconds = times[["user.self"]] + times[["sys.self"]],
  peak_rss_mib_fit_sample = peak_mib
)
writeLines(sprintf("{%s}", paste0("\"", names(facts), "\": ", format(facts, digits = 6, trim = TRUE), collapse = ", ")),
           flag("report"))
