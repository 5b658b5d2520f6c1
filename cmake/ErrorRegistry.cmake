# errors/error_classes.json -> error_classes.inc (enumerators) and error_registry.inc (entries).
set(MERGANSER_GENERATED_DIR ${CMAKE_BINARY_DIR}/generated)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(error_outputs
  ${MERGANSER_GENERATED_DIR}/merganser/base/error_classes.inc
  ${MERGANSER_GENERATED_DIR}/merganser/base/error_registry.inc)
add_custom_command(
  OUTPUT ${error_outputs}
  COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/scripts/generate_errors.py
          --input ${CMAKE_SOURCE_DIR}/errors/error_classes.json --output-dir ${MERGANSER_GENERATED_DIR}/merganser/base
  DEPENDS ${CMAKE_SOURCE_DIR}/errors/error_classes.json ${CMAKE_SOURCE_DIR}/errors/jvm_classes.json
          ${CMAKE_SOURCE_DIR}/scripts/generate_errors.py)
add_custom_target(merganser_error_registry DEPENDS ${error_outputs})
