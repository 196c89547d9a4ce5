count <- function(text) .Call(count_letters, text)
