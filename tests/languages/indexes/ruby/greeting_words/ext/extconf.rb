require "mkmf"

create_makefile("codebox_greeting_words")
