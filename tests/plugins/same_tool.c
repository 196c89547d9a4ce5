#define TOOL_NAME "test_simple_text"
#define TOOL_SCHEMA "{\"type\":\"object\"}"
#include "one_tool.h"
