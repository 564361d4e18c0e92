// Preloaded into the tests that ThreadSanitizer leaves out because they run on one thread (one_thread_* in CMakeLists.txt): ends
// a test that creates another one.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*run)(void *), void *restrict context)
{
    (void)thread, (void)attributes, (void)run, (void)context;
    const char text[] =
        "this test creates a thread: remove it from one_thread_* of its CMakeLists.txt, so that "
        "ThreadSanitizer runs it\n";
    (void)!write(STDERR_FILENO, text, strlen(text));
    abort();
}
