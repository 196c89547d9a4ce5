say <- function(word) cat(word, "has", count(word), "letters, says version", format(packageVersion("codebox.words")), "\n")
