// Tests of a server's folder beside brokers. The program that runs them has other tests as well.
#ifndef WEFT_TESTS_NATS_FOLDERS_H
#define WEFT_TESTS_NATS_FOLDERS_H

struct brokers;

// The brokers of all tests that do not kill any. The program starts them before a group of tests and empties them before each test.
extern struct brokers nats_one;

void a_folder_is_carried_into_streams(void **state);
void carrying_is_gone_on_with(void **state);
void what_is_gone_is_not_carried(void **state);
void the_bin_is_of_all_servers(void **state);
void what_is_old_has_been_seen_to_age(void **state);

#endif
