# What stands around simulated servers (disks, brokers), on threads that take turns (fibers.c). Objects of this program take the place of
# base/thread.c, base/clock.c, store/place.c and store/reserve.c.
add_executable(weft_outside outside.c brokers.c brokers_library.c disk.c fibers.c scenario_brokers.c scenario_store.c)
set_target_properties(weft_outside PROPERTIES OUTPUT_NAME weft-outside)
target_include_directories(weft_outside PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit/store)
target_link_libraries(weft_outside PRIVATE helpers_store weft_store weft_base PkgConfig::SQLITE PkgConfig::NATS)

# A few seeds each, the same ones each time; more of them: weft-outside SCENARIO SEED COUNT.
foreach(scenario brokers store)
  add_test(NAME simulator.outside.${scenario} COMMAND weft_outside ${scenario} 1 40)
  set_tests_properties(simulator.outside.${scenario} PROPERTIES LABELS "simulator" TIMEOUT 600)
endforeach()
