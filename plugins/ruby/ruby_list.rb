# Lists Ruby and the image's gems, with those that are part of the standard library.
puts "ruby #{RUBY_VERSION}"
found = Gem::Specification.to_a.sort_by { |spec| [spec.name, spec.version] }
puts found.map { |spec| "#{spec.name} #{spec.version}" }.uniq
