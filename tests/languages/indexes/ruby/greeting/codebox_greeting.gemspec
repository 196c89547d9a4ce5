# VERSION is set by build.rb: the index has the gem in several.
Gem::Specification.new("codebox_greeting", ENV.fetch("VERSION")) do |gem|
  gem.summary = "Greets people"
  gem.authors = ["Codebox"]
  gem.homepage = "https://example.org"
  gem.license = "MIT"
  gem.files = ["lib/codebox_greeting.rb"]
  gem.add_dependency "codebox_greeting_words", "~> 1.0"
  gem.add_dependency "json", ">= 1"
end
