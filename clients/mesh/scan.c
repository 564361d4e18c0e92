// Words and numbers out of bytes, with the line where they stand.
//
// A line ends with \n; \r before it is a blank. Nothing is copied but numbers, which are read in the C locale.
#include "internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 64 }; // longest number as text
enum { RECORDS = 65536 };  // between two words to the watch

bool mesh_scan_init(struct mesh_scan *scan, const char *name, const void *bytes, size_t size,
                    struct fault *fault)
{
    *scan = (struct mesh_scan){.name = name, .begin = bytes, .at = bytes, .line = 1, .fault = fault};
    scan->end = scan->begin + size;
    scan->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return scan->locale != (locale_t)0 || mesh_fail_memory(fault);
}

void mesh_scan_deinit(struct mesh_scan *scan)
{
    if (scan->locale != (locale_t)0) {
        freelocale(scan->locale);
    }
    scan->locale = (locale_t)0;
}

bool mesh_scan_refuse(struct mesh_scan *scan, enum fault_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fault_set_list(scan->fault, code, NULL, format, arguments);
    va_end(arguments);
    return fault_set(scan->fault, code, NULL, "%.180s, line %u: %s", scan->name, scan->line,
                     scan->fault->text);
}

size_t mesh_scan_left(const struct mesh_scan *scan)
{
    return (size_t)(scan->end - scan->at);
}

bool mesh_scan_record(struct mesh_scan *scan)
{
    if (!scan->watch || ++scan->records < RECORDS) {
        return true;
    }
    scan->records = 0;
    return mesh_report(scan->watch, "reading",
                       (double)(scan->at - scan->begin) / (double)(scan->end - scan->begin), scan->fault);
}

bool mesh_scan_more(struct mesh_scan *scan)
{
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t' || *scan->at == '\r')) {
        scan->at++;
    }
    if (scan->at == scan->end || *scan->at == '\n') {
        return false;
    }
    return !(scan->comments && *scan->at == '#');
}

void mesh_scan_next_line(struct mesh_scan *scan)
{
    const char *newline = memchr(scan->at, '\n', mesh_scan_left(scan));
    scan->at = newline ? newline + 1 : scan->end;
    scan->line += newline != NULL;
}

bool mesh_scan_content(struct mesh_scan *scan)
{
    while (!mesh_scan_more(scan)) {
        if (scan->at == scan->end) {
            return false;
        }
        mesh_scan_next_line(scan);
        if (scan->at == scan->end) {
            return false;
        }
    }
    return true;
}

bool mesh_scan_end_of_line(struct mesh_scan *scan, const char *what)
{
    if (mesh_scan_more(scan)) {
        return mesh_scan_refuse(scan, FAULT_INVALID, "there is more in the line than %s", what);
    }
    mesh_scan_next_line(scan);
    return true;
}

static bool goes_on(const struct mesh_scan *scan)
{
    return scan->at < scan->end && *scan->at != ' ' && *scan->at != '\t' && *scan->at != '\r' &&
           *scan->at != '\n';
}

bool mesh_scan_u64(struct mesh_scan *scan, const char *what, uint64_t most, uint64_t *number)
{
    *number = 0;
    if (!mesh_scan_more(scan)) {
        return mesh_scan_refuse(scan, FAULT_INVALID, "%s is missing", what);
    }
    for (int digits = 0; goes_on(scan); digits++, scan->at++) {
        if (*scan->at < '0' || *scan->at > '9' || digits > 18) {
            return mesh_scan_refuse(scan, FAULT_INVALID, "%s is no whole number", what);
        }
        *number = *number * 10 + (uint64_t)(*scan->at - '0');
    }
    if (*number > most) {
        return mesh_scan_refuse(scan, FAULT_LIMIT, "%s is %llu; at most %llu can be taken", what,
                                (unsigned long long)*number, (unsigned long long)most);
    }
    return true;
}

bool mesh_scan_f64(struct mesh_scan *scan, const char *what, double *number)
{
    char text[NUMBER_SIZE], *end;
    size_t size = 0;
    if (!mesh_scan_more(scan)) {
        return mesh_scan_refuse(scan, FAULT_INVALID, "%s is missing", what);
    }
    while (goes_on(scan)) {
        if (size == sizeof text - 1) {
            return mesh_scan_refuse(scan, FAULT_INVALID, "%s is too long for a number", what);
        }
        text[size++] = *scan->at++;
    }
    text[size] = '\0';
    *number = strtod_l(text, &end, scan->locale);
    if (end != text + size || !isfinite(*number)) {
        return mesh_scan_refuse(scan, FAULT_INVALID, "%s is no finite number", what);
    }
    return true;
}
