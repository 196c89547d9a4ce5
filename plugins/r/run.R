# What R reads at its start in place of a user's profile: it runs the program main.R and ends R. So the input is
# R's own, the top level is R's own (no function of ours is being called), and errors tell the program's lines.
.First.sys()
local({
  waiting <- Sys.getenv("CODEBOX_WAIT")
  Sys.unsetenv(c("CODEBOX_WAIT", "R_PROFILE_USER"))
  if (nzchar(waiting)) sys.source(waiting, new.env())

  titles <- new.env()

  # The title of what is being drawn, for a file's name: "-revenue-by-month", or nothing.
  slug <- function(title) {
    if (!is.character(title) || !length(title) || is.na(title[[1]])) return("")
    words <- strsplit(tolower(gsub("[^[:alnum:]]+", " ", title[[1]])), " ", fixed = TRUE)[[1]]
    short <- strtrim(paste(words[nzchar(words)], collapse = "-"), 40)
    if (nzchar(short)) paste0("-", short) else ""
  }

  # Stands among the arguments of one of the functions that are drawing.
  title_of <- function(frame) {
    plot <- get0("x", frame, inherits = FALSE)
    found <- if (inherits(plot, "ggplot")) plot$labels$title
    else if (inherits(plot, "trellis")) plot$main
    else c(get0("main", frame, inherits = FALSE), get0("pars", frame, mode = "list", inherits = FALSE)$main)
    slug(if (is.list(found)) found$label else found)
  }

  # Called where a plot has begun, whose page is the newest file.
  remember <- function(...) try(silent = TRUE, {
    file <- attr(.Devices[[dev.cur()]], "filepath")
    page <- length(list.files(dirname(file), "png$"))
    key <- paste(basename(dirname(file)), page)
    if (startsWith(basename(dirname(file)), "codebox-plots-") && is.null(titles[[key]])) {
      found <- Filter(nzchar, vapply(sys.frames(), title_of, ""))
      if (length(found)) titles[[key]] <- found[[1]]
    }
  })
  setHook("plot.new", remember)
  setHook("persp", remember)
  setHook("grid.newpage", remember)

  # What R draws on where a program names no device. Its pages come back as figure-1-its-title.png, ...
  folders <- character()
  options(device = function(width = 7, height = 5, ...) {
    folder <- tempfile(sprintf("codebox-plots-%03d-", length(folders) + 1L))
    dir.create(folder)
    folders <<- c(folders, folder)
    png(file.path(folder, "%05d.png"), width = width, height = height, units = "in", res = 150)
  })
  output <- file.path(getwd(), "output")
  process <- Sys.getpid()
  collect <- function() {
    graphics.off()
    number <- 0L
    for (folder in folders) {
      pages <- sort(list.files(folder, "png$"))
      for (page in seq_along(pages)) {
        dir.create(output, FALSE)
        repeat {
          number <- number + 1L
          title <- titles[[paste(basename(folder), page)]]
          name <- sprintf("figure-%d%s.png", number, if (is.null(title)) "" else title)
          if (!file.exists(file.path(output, name))) break
        }
        if (!suppressWarnings(file.copy(file.path(folder, pages[[page]]), file.path(output, name))))
          cat(name, "could not be saved in the folder output\n", file = stderr())
      }
    }
  }

  options(keep.source = TRUE, show.error.locations = TRUE)
  program <- tryCatch(parse("main.R", keep.source = TRUE, encoding = "UTF-8"), error = function(error) {
    cat("Error: ", conditionMessage(error), "\n", sep = "", file = stderr())
    quit("no", 1)
  })
  lines <- attr(program, "srcref")
  at <- new.env(parent = baseenv())
  at$steps <- lapply(seq_along(program), function(i) {
    step <- as.call(list(quote(`{`), program[[i]]))
    attributes(step) <- list(srcref = list(lines[[i]], lines[[i]]), srcfile = attr(program, "srcfile"))
    step
  })
  at$here <- at
  line <- function(reference) {
    if (identical(attr(reference, "srcfile"), attr(program, "srcfile"))) as.integer(reference)[[1]] else NA
  }
  # After R's own words, the lines from the top level inwards, of which R names no more than the last.
  calls <- NULL
  globalCallingHandlers(error = function(error) calls <<- sys.calls())
  tell <- function() {
    inward <- vapply(c(lines[at$number], lapply(calls, attr, "srcref")), line, 0L)
    inward <- rle(inward[!is.na(inward)])$values
    inward <- paste(tail(inward, 20L), collapse = " -> ")
    if (length(calls)) cat("At line", inward, "of main.R\n", file = stderr())
  }
  reg.finalizer(titles, function(...) if (Sys.getpid() == process) {
    tell()
    collect()
  }, onexit = TRUE)
  # Methods that the program defined are looked for where it stands.
  at$show <- function(value) {
    place <- list2env(list(x = value), parent = globalenv())
    eval(as.call(list(if (isS4(value)) methods::show else base::print, quote(x))), place)
  }
  # What R itself does after each step, were it not for "In addition: ", which belongs to errors.
  at$warn <- function() {
    text <- textConnection(NULL, "w")
    sink(text, type = "message")
    .Internal(printDeferredWarnings())
    sink(type = "message")
    said <- textConnectionValue(text)
    close(text)
    if (length(said)) cat(sub("^In addition: ", "", said[[1]]), said[-1], sep = "\n", file = stderr())
  }
  # A promise is what can be evaluated without a function being called: sys.nframe() is 0 in it.
  delayedAssign(".codebox", eval.env = at, assign.env = .AutoloadEnv, {
    for (number in seq_along(steps)) {
      .Internal(delayedAssign("value", steps[[number]], globalenv(), here))
      seen <- .Internal(withVisible(value))
      if (seen$visible) show(seen$value)
      warn()
    }
    quit("no")
  })
  # Where R goes after an error that it is told to survive: else it takes the program's input for a program.
  assign(".First", function() quit("no", 1), .AutoloadEnv)
})
.codebox
