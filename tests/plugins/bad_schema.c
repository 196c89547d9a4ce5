#define TOOL_NAME "fine"
#define TOOL_SCHEMA "{\"type\":"
#include "one_tool.h"
