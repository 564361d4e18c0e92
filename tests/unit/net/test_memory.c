// A loop without memory: present connections are served as far as possible, new ones wait, and all works again when
// memory is back.
#include "helper_fixture.h"

#include "../sim/helper_heap.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local bool on_loop;
static atomic_bool fails, realloc_fails;
static atomic_uint failures;

#ifndef OTHERS_OWN_THE_HEAP
static bool refused(const atomic_bool *kind)
{
    if (!on_loop || !atomic_load(kind)) {
        return false;
    }
    atomic_fetch_add(&failures, 1);
    return true;
}

void *malloc(size_t size)
{
    return refused(&fails) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return refused(&fails) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return refused(&fails) || refused(&realloc_fails) ? NULL : __libc_realloc(memory, size);
}
#endif

static struct fixture fixture;

static void call_begin(struct fixture *all, void *argument)
{
    (void)all;
    (void)argument;
    on_loop = true;
}

static void start(void)
{
    fixture_start(&fixture, NULL);
    fixture_call(&fixture, call_begin, NULL);
    atomic_store(&failures, 0);
}

static void echo(int fd)
{
    uint8_t back[20], *message = client_message(sizeof back, 4);
    client_send(fd, message, sizeof back);
    client_receive(fd, back, sizeof back);
    assert_memory_equal(back, message, sizeof back);
    free(message);
}

static void who_comes_while_there_is_no_memory_is_served_when_there_is(void **state)
{
    (void)state;
    start();
    atomic_store(&fails, true);
    int fds[3];
    for (int i = 0; i < 3; i++) {
        fds[i] = client_connect(&fixture);
    }
    for (int i = 0; i < FIXTURE_WAIT_S * 1000 && atomic_load(&failures) < 4;
         i++) { // it tries, and tries again
        usleep(1000);
    }
    assert_true(atomic_load(&failures) >= 4);
    atomic_store(&fails, false);
    for (int i = 0; i < 3; i++) {
        echo(fds[i]);
        close(fds[i]);
    }
    fixture_wait_closed(&fixture, 3);
    fixture_stop(&fixture);
}

// libuv ends the process where its table of files cannot grow: so it is large enough from the start.
static void watching_many_files_asks_for_no_memory(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    start();
    atomic_store(&realloc_fails, true);
    int fds[COUNT];
    for (int i = 0; i < COUNT; i++) {
        fds[i] = client_connect(&fixture);
        echo(fds[i]);
    }
    atomic_store(&realloc_fails, false);
    for (int i = 0; i < COUNT; i++) {
        close(fds[i]);
    }
    fixture_wait_closed(&fixture, COUNT);
    fixture_stop(&fixture);
}

static void a_message_without_memory_ends_its_connection_and_no_other(void **state)
{
    (void)state;
    start();
    int fds[2] = {client_connect(&fixture), client_connect(&fixture)};
    echo(fds[0]);
    echo(fds[1]);
    atomic_store(&fails, true);
    client_send(fds[0], "\xc0", 1);
    assert_true(client_at_end(fds[0]));
    atomic_store(&fails, false);
    echo(fds[1]);
    close(fds[0]);
    close(fds[1]);
    fixture_wait_closed(&fixture, 2);
    fixture_stop(&fixture);
}

int main(void)
{
#ifdef OTHERS_OWN_THE_HEAP
    (void)who_comes_while_there_is_no_memory_is_served_when_there_is;
    (void)watching_many_files_asks_for_no_memory;
    (void)a_message_without_memory_ends_its_connection_and_no_other;
    return 0;
#else
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_comes_while_there_is_no_memory_is_served_when_there_is),
        cmocka_unit_test(watching_many_files_asks_for_no_memory),
        cmocka_unit_test(a_message_without_memory_ends_its_connection_and_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
#endif
}
