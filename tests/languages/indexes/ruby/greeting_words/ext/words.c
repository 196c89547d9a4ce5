#include <ruby.h>

void Init_codebox_greeting_words(void) {
  rb_define_global_const("CODEBOX_GREETING_WORDS", rb_str_new_cstr("{\"hello\": \"Hello, %s!\"}"));
}
