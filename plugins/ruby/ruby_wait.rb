# A Ruby that has started and waits on descriptor 3 to be told what it becomes; only the program is left to be read.
# Ruby opens a program before it loads the files of -r, and reads it after: it has opened an empty one in its place.
lambda do
  source = $0
  opened = ObjectSpace.each_object(File).find { |file| !file.closed? && file.path == source }
  File.unlink(source)
  # Prism, the parser of Ruby 3.4 and later, has read the program by now.
  abort "this Ruby reads a program before it can wait for it" unless opened
  control = IO.for_fd(3, "r+b")
  control.write("\n")
  fields = control.read.force_encoding(Encoding.default_external).split("\0", -1)
  control.close
  exit!(0) if fields.size < 4
  argv = fields.shift(fields.shift.to_i)
  env = fields.shift(fields.shift.to_i).to_h { |variable| variable.split("=", 2) }
  ENV.clear.update(env) unless ENV.to_a == env.to_a
  folder, stdin = fields
  Dir.chdir(folder) unless Dir.pwd == folder
  # Below the objects of the program's streams, which shall not know.
  File.open(File::NULL) { |null| IO.for_fd(0, autoclose: false).reopen(null) } if stdin == "null"
  # Options in a program's first line are for Ruby's own start.
  exec(*argv, close_others: true) if File.binread(source, 2) == "#!"
  opened.reopen(source)
end.call
