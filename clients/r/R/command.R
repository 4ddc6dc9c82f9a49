# Runs the whatif command.

# `accept`: exit codes that are no error; 9 is a gate that failed, 8 fewer rows than the policy accepts.
whatif_run <- function(study, options = character(), accept = 0L, whatif = NULL) {
  document <- run_json(c("run", study, "--json", options), accept, whatif)
  path <- document$data$manifest_path
  if (is.null(path)) stop("the run wrote no manifest", call. = FALSE)
  whatif_manifest(path)
}

whatif_plan <- function(study, options = character(), whatif = NULL)
  run_json(c("plan", study, "--json", options), 0L, whatif)

run_json <- function(arguments, accept, whatif) {
  command <- command_of(whatif)
  out <- tempfile(fileext = ".json")
  on.exit(unlink(out))
  # system2() joins its arguments to a line for a shell.
  exit_code <- system2(command[1], shQuote(c(command[-1], arguments)), stdout = out)
  text <- readLines(out, warn = FALSE, encoding = "UTF-8")
  document <- tryCatch(jsonlite::fromJSON(text, simplifyVector = FALSE), error = function(e) NULL)
  if (!(exit_code %in% accept) || is.null(document)) {
    found <- vapply(document$diagnostics, function(one) paste(one$summary, collapse = ""), "")
    said <- c(document$data$message, document$data$hint, found)
    stop(structure(
      class = c("whatif_failure", "error", "condition"),
      list(
        message = paste(c(sprintf("whatif ended with exit code %d", exit_code), said), collapse = ": "),
        call = NULL, exit_code = exit_code, document = document
      )
    ))
  }
  document
}

command_of <- function(whatif) {
  if (!is.null(whatif)) return(whatif)
  named <- Sys.getenv("WHATIF_COMMAND")
  if (nzchar(named)) return(named)
  if (nzchar(Sys.which("whatif"))) return("whatif")
  if (nzchar(Sys.which("npx"))) return(c("npx", "--no-install", "whatif"))
  stop("there is no whatif command: install the npm package, or name it by whatif =", call. = FALSE)
}
