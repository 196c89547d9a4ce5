# Runs before the program: what it printed is there also where it is ended early.
$stdout.sync = true
# Not by -r, which would show in $LOADED_FEATURES.
load File.join(__dir__, "ruby_wait.rb") if ENV.delete("CODEBOX_WAIT")
