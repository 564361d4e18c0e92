# cmake -DBUILD= -DSOURCE= -DEXAMPLES= -DSTAGE= -DLIBDIR= -DCC= -DSANITIZE= -DCOVERAGE= -DGENERATOR= -P run.cmake
#
# Installs libweft and libweft-twin into STAGE, moves them, and builds the programs in SOURCE against them by pkg-config and by
# the CMake package, shared and static, in C and C++. Each must run.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nended with ${status}\n${output}${errors}")
  endif()
endfunction()

set(flags "")
if(SANITIZE)
  set(flags -fsanitize=${SANITIZE})
endif()
# What is measured inside the libraries needs its counters in every program.
if(COVERAGE)
  set(flags --coverage)
endif()
file(REMOVE_RECURSE ${STAGE})
foreach(component libweft libweft-twin)
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${STAGE}/first --component ${component})
endforeach()
# Nothing in it may remember where it was put first.
file(RENAME ${STAGE}/first ${STAGE}/moved)
set(prefix ${STAGE}/moved)

set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
set(ENV{LD_LIBRARY_PATH} ${prefix}/${LIBDIR})
# The flags of pkg-config are many words.
function(flags_of result)
  execute_process(COMMAND pkg-config --cflags --libs ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE words ERROR_VARIABLE
    errors OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "pkg-config: ${errors}")
  endif()
  separate_arguments(words UNIX_COMMAND "${words}")
  set(${result} ${words} PARENT_SCOPE)
endfunction()
foreach(kind shared static)
  set(arguments weft)
  if(kind STREQUAL static)
    list(APPEND arguments --static)
  endif()
  flags_of(words ${arguments})
  if(kind STREQUAL static)
    list(TRANSFORM words REPLACE "^-lweft$" "-l:libweft.a")
  endif()
  run(${CC} -std=c17 -Wall -Wextra -Werror -Wpedantic ${flags} ${SOURCE}/main.c -o ${STAGE}/by_pkg_config_${kind} ${words})
  run(${STAGE}/by_pkg_config_${kind})
  # The examples, as one who has only the package builds them.
  foreach(example cloth follow)
    run(${CC} -std=c17 -Wall -Wextra -Werror -Wpedantic ${flags} ${EXAMPLES}/${example}.c
      -o ${STAGE}/example_${example}_${kind} ${words} -lm)
  endforeach()
endforeach()

flags_of(words weft-twin)
run(${CC} -std=c17 -Wall -Wextra -Werror -Wpedantic ${flags} ${SOURCE}/twin.c -o ${STAGE}/twin_by_pkg_config ${words})
run(${STAGE}/twin_by_pkg_config)
run(${CC} -std=c17 -Wall -Wextra -Werror -Wpedantic ${flags} ${EXAMPLES}/twin.c -o ${STAGE}/example_twin ${words} -lm)

run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE} -B ${STAGE}/build -DCMAKE_PREFIX_PATH=${prefix}
  -DCMAKE_C_COMPILER=${CC} "-DCMAKE_C_FLAGS=${flags}" "-DCMAKE_CXX_FLAGS=${flags}")
run(${CMAKE_COMMAND} --build ${STAGE}/build)
foreach(program stranger stranger_static stranger_cpp stranger_twin stranger_twin_cpp)
  run(${STAGE}/build/${program})
endforeach()
