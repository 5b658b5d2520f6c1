# C++ of proto/: messages and service of Spark Connect, and Delta's own messages. A library of its
# own, without our warnings: it is compiled again only when a .proto file changes.
set(wire_root ${CMAKE_SOURCE_DIR}/proto)
set(wire_output ${CMAKE_BINARY_DIR}/generated/wire)
file(MAKE_DIRECTORY ${wire_output})
file(GLOB_RECURSE wire_files RELATIVE ${wire_root} CONFIGURE_DEPENDS ${wire_root}/*.proto)

set(wire_sources "")
foreach(file IN LISTS wire_files)
  string(REGEX REPLACE "\\.proto$" "" stem ${file})
  set(outputs ${wire_output}/${stem}.pb.cc ${wire_output}/${stem}.pb.h)
  set(grpc_arguments "")
  if(stem STREQUAL spark/connect/service)
    list(APPEND outputs ${wire_output}/${stem}.grpc.pb.cc ${wire_output}/${stem}.grpc.pb.h)
    set(grpc_arguments --grpc_out=${wire_output}
      --plugin=protoc-gen-grpc=$<TARGET_FILE:gRPC::grpc_cpp_plugin>)
  endif()
  # All files are inputs of each: a message may stand in any file that is imported.
  set(inputs ${wire_files})
  list(TRANSFORM inputs PREPEND ${wire_root}/)
  add_custom_command(OUTPUT ${outputs}
    COMMAND protobuf::protoc -I ${wire_root} --cpp_out=${wire_output} ${grpc_arguments} ${file}
    DEPENDS ${inputs} COMMENT "Generating C++ of ${file}" VERBATIM)
  list(APPEND wire_sources ${outputs})
endforeach()

# What clang-tidy needs of them.
add_custom_target(merganser_wire_messages DEPENDS ${wire_sources})
add_library(merganser_wire STATIC ${wire_sources})
add_dependencies(merganser_wire merganser_wire_messages)
target_include_directories(merganser_wire SYSTEM PUBLIC ${wire_output})
target_link_libraries(merganser_wire PUBLIC gRPC::grpc++ protobuf::libprotobuf)
# Requests nest deeper than protobuf reads by default: the service must be compiled with our reader.
set_source_files_properties(${wire_output}/spark/connect/service.grpc.pb.cc PROPERTIES
  COMPILE_OPTIONS "-include;${CMAKE_SOURCE_DIR}/src/merganser/connect/deep_request.h")
target_precompile_headers(merganser_wire PRIVATE
  <string> <google/protobuf/message.h> <google/protobuf/map_entry.h>
  <google/protobuf/generated_message_reflection.h> <google/protobuf/wire_format.h>)
set_target_properties(merganser_wire PROPERTIES UNITY_BUILD OFF)
