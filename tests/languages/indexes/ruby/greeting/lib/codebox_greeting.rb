require "codebox_greeting_words"
require "json"

module CodeboxGreeting
  def self.to(name) = format(JSON.parse(CODEBOX_GREETING_WORDS).fetch("hello"), name)
end
