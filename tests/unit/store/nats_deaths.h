// Tests in which brokers die. The program that runs them has other tests as well.
//
// The brokers are those of helper_brokers.h. The tests take longer than other tests, because a
// cluster of brokers needs seconds to elect a leader.
#ifndef WEFT_TESTS_NATS_DEATHS_H
#define WEFT_TESTS_NATS_DEATHS_H

void a_killed_broker_loses_nothing(void **state);
void why_the_store_takes_nothing_is_told(void **state);
void a_take_over_waits_for_brokers(void **state);
void brokers_of_an_old_copy_are_found_out(void **state);
void one_of_three_may_be_killed(void **state);
void large_appends_outlive_their_brokers(void **state);

#endif
