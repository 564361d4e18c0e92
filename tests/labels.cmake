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
