# What stands around simulated servers (disks, brokers), on threads that take turns (fibers.c). Objects of this program take the place of
# base/thread.c, base/clock.c, base/random.c, store/place.c, store/reserve.c, host/folder_id.c, and of nats.c.
if(NOT NATS_FOUND OR NOT TARGET weft_local)
  return()
endif()
add_executable(weft_outside outside.c brokers.c brokers_jetstream.c brokers_library.c disk.c fibers.c nodes.c people.c
  relay_people.c relay_weather.c relay_wire.c wires.c
  cluster_compare.c scenario_brokers.c scenario_cluster.c scenario_move.c scenario_relay.c scenario_store.c $<FILTER:$<TARGET_OBJECTS:weft_local>,EXCLUDE,thread>)
set_target_properties(weft_outside PROPERTIES OUTPUT_NAME weft-outside)
target_include_directories(weft_outside PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/tests/unit/store)
target_link_libraries(weft_outside PRIVATE helper_inputs helpers_store weft_instance weft_relay weft_dispatch weft_access weft_host weft_world weft_past weft_store weft_cluster
  weft_protocol weft_base PkgConfig::SQLITE PkgConfig::NATS)

# A few seeds each, the same ones each time; more of them: weft-outside SCENARIO SEED COUNT.
foreach(scenario alone brokers cluster move relay store)
  add_test(NAME simulator.outside.${scenario} COMMAND weft_outside ${scenario} 1 40)
  set_tests_properties(simulator.outside.${scenario} PROPERTIES LABELS "simulator" TIMEOUT 600)
endforeach()
