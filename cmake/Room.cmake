# codebox_room(NAME [PUBLIC room...] [PRIVATE room...] [LIBS library...])
#
# One room of core/ is one static library, codebox::NAME, made of every .cpp file in its folder. A room
# sees the headers of exactly the rooms that it names: each room's folder is reachable only through an
# include folder of its own (build/rooms/NAME/NAME -> core/NAME), so that an include against the
# arrows does not compile. PUBLIC names rooms whose types stand in this room's own headers.
function(codebox_room name)
  cmake_parse_arguments(room "" "" "PUBLIC;PRIVATE;LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(NOT sources)
    set(sources ${CMAKE_SOURCE_DIR}/cmake/empty.cpp)
  endif()
  set(headers ${CMAKE_BINARY_DIR}/rooms/${name})
  file(MAKE_DIRECTORY ${headers})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${headers}/${name} SYMBOLIC)

  add_library(codebox_${name} STATIC ${sources})
  add_library(codebox::${name} ALIAS codebox_${name})
  target_include_directories(codebox_${name} PUBLIC ${headers})
  list(TRANSFORM room_PUBLIC PREPEND codebox::)
  list(TRANSFORM room_PRIVATE PREPEND codebox::)
  target_link_libraries(codebox_${name}
    PUBLIC ${room_PUBLIC}
    PRIVATE ${room_PRIVATE} ${room_LIBS} codebox_options)
endfunction()
