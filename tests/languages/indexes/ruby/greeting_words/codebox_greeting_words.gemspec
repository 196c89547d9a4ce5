# A gem in C, which installing compiles.
Gem::Specification.new("codebox_greeting_words", ENV.fetch("VERSION")) do |gem|
  gem.summary = "Says hello"
  gem.authors = ["Codebox"]
  gem.homepage = "https://example.org"
  gem.license = "MIT"
  gem.files = ["ext/extconf.rb", "ext/words.c"]
  gem.extensions = ["ext/extconf.rb"]
end
