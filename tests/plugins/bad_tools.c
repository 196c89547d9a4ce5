#define TOOL_NAME "run_away"
#define TOOL_SCHEMA "{\"type\":\"object\"}"
#include "one_tool.h"
