# The agent's own tests run the real program, as PID 1 of namespaces that agent_jail makes.
add_executable(agent_jail unit/sandbox/jail/main.cpp)
target_link_libraries(agent_jail PRIVATE codebox_options)
codebox_room_test(sandbox codebox::egress)
add_dependencies(sandbox_test agent agent_jail)
target_compile_definitions(sandbox_test PRIVATE
  CODEBOX_AGENT="$<TARGET_FILE:agent>" CODEBOX_JAIL="$<TARGET_FILE:agent_jail>")
