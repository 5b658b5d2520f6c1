# What is installed: the program, one shared library with the API layer and all below it, the
# headers that library users need, DuckDB's library beside ours, and metadata for CMake and
# pkg-config. $ORIGIN keeps an installed tree movable.
file(RELATIVE_PATH bin_to_lib /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})

if(EXISTS ${CMAKE_SOURCE_DIR}/src/merganser/cli/main.cc)
  add_executable(merganser_program ${CMAKE_SOURCE_DIR}/src/merganser/cli/main.cc)
  target_link_libraries(merganser_program PRIVATE merganser_cli merganser_warnings)
  set_target_properties(merganser_program PROPERTIES
    OUTPUT_NAME merganser INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
  install(TARGETS merganser_program)
  install(FILES ${CMAKE_SOURCE_DIR}/docs/man/merganser.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${CMAKE_SOURCE_DIR}/packaging/merganser.bash RENAME merganser
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${CMAKE_SOURCE_DIR}/packaging/_merganser
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()

if(TARGET merganser_api)
  file(CONFIGURE OUTPUT ${MERGANSER_GENERATED_DIR}/shared_library.cc CONTENT "")
  add_library(merganser_library SHARED EXCLUDE_FROM_ALL ${MERGANSER_GENERATED_DIR}/shared_library.cc)
  merganser_layer_closure(layers merganser_api)
  list(JOIN layers "," whole)
  target_link_libraries(merganser_library PRIVATE merganser_api)
  set_target_properties(merganser_library PROPERTIES
    OUTPUT_NAME merganser EXPORT_NAME merganser
    LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,${whole}"
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} INSTALL_RPATH "$ORIGIN")
  target_compile_features(merganser_library INTERFACE cxx_std_20)
  install(TARGETS merganser_library EXPORT merganser
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

  # The API headers and whatever they include, found when installing.
  install(CODE "set(source_roots ${CMAKE_SOURCE_DIR}/src ${MERGANSER_GENERATED_DIR})
set(include_destination \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR})")
  install(SCRIPT ${CMAKE_SOURCE_DIR}/cmake/InstallHeaders.cmake)

  set(package_destination ${CMAKE_INSTALL_LIBDIR}/cmake/merganser)
  install(EXPORT merganser NAMESPACE merganser:: DESTINATION ${package_destination}
    FILE merganserConfig.cmake)
  include(CMakePackageConfigHelpers)
  write_basic_package_version_file(${MERGANSER_GENERATED_DIR}/merganserConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${MERGANSER_GENERATED_DIR}/merganserConfigVersion.cmake
    DESTINATION ${package_destination})
  configure_file(${CMAKE_SOURCE_DIR}/packaging/merganser.pc.in
    ${MERGANSER_GENERATED_DIR}/merganser.pc @ONLY)
  install(FILES ${MERGANSER_GENERATED_DIR}/merganser.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

install(FILES ${DUCKDB_LIBRARY} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(EXISTS ${DuckDB_ROOT}/LICENSE)
  install(FILES ${DuckDB_ROOT}/LICENSE RENAME LICENSE.duckdb DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
