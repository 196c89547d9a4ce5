# r_packages.R list, or r_packages.R install PREFIX NAME[@VERSION]...: what the image has, and more beside it.
arguments <- commandArgs(trailingOnly = TRUE)

if (arguments[[1]] == "list") {
  found <- installed.packages()
  found <- found[!duplicated(found[, "Package"]), c("Package", "Version"), drop = FALSE]
  cat("R ", paste(R.version$major, R.version$minor, sep = "."), "\n", sep = "")
  cat(paste0(found[, "Package"], " ", found[, "Version"], "\n"), sep = "")
  quit("no")
}

fail <- function(...) {
  cat("Error: ", ..., "\n", sep = "", file = stderr())
  quit("no", 1)
}

# The operator's index, else the one that the image was made with, else CRAN itself.
mirror <- Sys.getenv("CRAN_MIRROR")
if (!nzchar(mirror)) mirror <- getOption("repos")["CRAN"]
if (is.na(mirror) || mirror == "@CRAN@") mirror <- "https://cloud.r-project.org"
options(repos = c(CRAN = unname(sub("/+$", "", mirror))), warn = 1, timeout = 300)

target <- file.path(arguments[[2]], "library")
dir.create(target, FALSE, TRUE)
.libPaths(c(target, .libPaths()))
names <- sub("@.*", "", arguments[-(1:2)])
versions <- sub("^[^@]*@?", "", arguments[-(1:2)])
there <- installed.packages()[, "Version"]
get <- function(...) {
  install.packages(..., lib = target, INSTALL_opts = c("--no-docs", "--no-demo", "--no-test-load"))
}
arrives <- function(...) {
  no <- function(condition) FALSE
  tryCatch(download.file(..., quiet = TRUE) == 0, error = no, warning = no)
}

for (i in seq_along(names)) {
  name <- names[[i]]
  version <- versions[[i]]
  has <- there[name]
  if (!is.na(has) && version %in% c("", has)) next
  if (!exists("available")) {
    available <- available.packages()
    if (!nrow(available)) fail("the package index ", mirror, " has no packages or cannot be reached")
  }
  current <- if (name %in% rownames(available)) available[name, "Version"] else NA
  if (version %in% c("", current)) {
    if (is.na(current)) fail("the package index has no package ", name, " for this version of R")
    get(name, available = available)
  } else {
    # What is not the newest lies in the archive, where nobody says what it needs but itself.
    file <- file.path(tempdir(), sprintf("%s_%s.tar.gz", name, version))
    from <- paste(getOption("repos"), "src/contrib/Archive", name, basename(file), sep = "/")
    if (!arrives(from, file)) fail("the package index has no version ", version, " of ", name)
    untar(file, file.path(name, "DESCRIPTION"), exdir = tempdir())
    fields <- c("Package", "Depends", "Imports", "LinkingTo")
    description <- read.dcf(file.path(tempdir(), name, "DESCRIPTION"), fields)
    needs <- setdiff(unlist(tools::package_dependencies(name, description)), rownames(installed.packages()))
    if (length(needs)) get(needs, available = available)
    get(file, repos = NULL, type = "source")
  }
}
# Where an installation fails, install.packages only warns.
for (name in names) {
  why <- tryCatch({ loadNamespace(name); NULL }, error = conditionMessage)
  if (!is.null(why)) fail(name, " was not installed: ", why)
}
