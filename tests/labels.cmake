# A test says by its labels what it is, and the stages of scripts/check.sh and scripts/test.sh choose by them.
#
#     unit wire floors fuzz simulator e2e python web faults install docs golden soak bench    its kind
#     sim, world, host and so on    the module of a unit test
#     slow       takes seconds: no part of `make test`
#     smoke      goes once through one way in: part of `make test`
#     bytes      reads bytes from outside, or holds memory: AddressSanitizer and UndefinedBehaviorSanitizer run it as well
#     threads    several threads meet in it: ThreadSanitizer runs it as well
#     hashes     comes to the same state hashes in every build: other compilers run it as well
#     hashes_long    the same, and takes minutes where nothing is optimised
#     browser    needs a browser
function(weft_label label) # TEST…
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS ${label})
endfunction()

# A test that runs on one thread shows nothing to ThreadSanitizer. It ends if it creates another one.
if(NOT TARGET weft_one_thread AND NOT WEFT_SANITIZE AND NOT CMAKE_CROSSCOMPILING AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  add_library(weft_one_thread SHARED ${CMAKE_CURRENT_LIST_DIR}/unit/one_thread.c)
  set_target_properties(weft_one_thread PROPERTIES C_VISIBILITY_PRESET default) # it stands before libc
endif()
function(weft_one_thread test)
  if(TARGET weft_one_thread)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT "LD_PRELOAD=$<TARGET_FILE:weft_one_thread>")
  endif()
endfunction()
