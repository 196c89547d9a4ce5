# Runs before the program: what it printed is there also where it is ended early.
$stdout.sync = true
