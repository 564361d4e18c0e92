// Numbers of a .msh file, as text or as bytes, and where a refusal happened.
#include "gmsh.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gmsh_refuse(struct gmsh *gmsh, enum fault_code code, const char *format, ...)
{
    struct fault *fault = gmsh->scan.fault;
    va_list arguments;
    va_start(arguments, format);
    fault_set_list(fault, code, NULL, format, arguments);
    va_end(arguments);
    if (!gmsh->binary) {
        return mesh_scan_refuse(&gmsh->scan, code, "%s", fault->text);
    }
    return fault_set(fault, code, NULL, "%.180s, byte %zu: %s", gmsh->scan.name,
                     (size_t)(gmsh->scan.at - gmsh->scan.begin), fault->text);
}

bool gmsh_take(struct gmsh *gmsh, const char *what, void *out, size_t size)
{
    if (mesh_scan_left(&gmsh->scan) < size) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "the file ends before %s", what);
    }
    memcpy(out, gmsh->scan.at, size);
    gmsh->scan.at += size;
    return true;
}

static bool check_most(struct gmsh *gmsh, const char *what, uint64_t most, uint64_t number)
{
    return number <= most || gmsh_refuse(gmsh, FAULT_LIMIT, "%s is %llu; at most %llu can be taken", what,
                                         (unsigned long long)number, (unsigned long long)most);
}

bool gmsh_int(struct gmsh *gmsh, const char *what, uint64_t most, uint64_t *number)
{
    int32_t value = 0;
    if (!gmsh->binary) {
        return mesh_scan_u64(&gmsh->scan, what, most, number);
    }
    *number = 0;
    if (!gmsh_take(gmsh, what, &value, sizeof value)) {
        return false;
    }
    if (value < 0) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "%s is negative", what);
    }
    *number = (uint64_t)value;
    return check_most(gmsh, what, most, *number);
}

bool gmsh_size(struct gmsh *gmsh, const char *what, uint64_t most, uint64_t *number)
{
    if (!gmsh->binary) {
        return mesh_scan_u64(&gmsh->scan, what, most, number);
    }
    *number = 0;
    return gmsh_take(gmsh, what, number, sizeof *number) && check_most(gmsh, what, most, *number);
}

bool gmsh_double(struct gmsh *gmsh, const char *what, double *number)
{
    if (!gmsh->binary) {
        return mesh_scan_f64(&gmsh->scan, what, number);
    }
    *number = 0;
    return gmsh_take(gmsh, what, number, sizeof *number) &&
           (isfinite(*number) || gmsh_refuse(gmsh, FAULT_INVALID, "%s is no finite number", what));
}

bool gmsh_signed(struct gmsh *gmsh, const char *what, int64_t *number)
{
    int32_t value = 0;
    double decimal = 0;
    *number = 0;
    if (!(gmsh->binary ? gmsh_take(gmsh, what, &value, sizeof value)
                       : mesh_scan_f64(&gmsh->scan, what, &decimal))) {
        return false;
    }
    if (!(decimal >= INT32_MIN && decimal <= INT32_MAX) || decimal != floor(decimal)) {
        return gmsh_refuse(gmsh, FAULT_INVALID, "%s is %g; must be a whole number of 4 bytes", what, decimal);
    }
    *number = gmsh->binary ? value : (int64_t)decimal;
    return true;
}

bool gmsh_skip_int(struct gmsh *gmsh, const char *what)
{
    int64_t ignored;
    return gmsh_signed(gmsh, what, &ignored);
}

bool gmsh_end_of_record(struct gmsh *gmsh, const char *what)
{
    return mesh_scan_record(&gmsh->scan) && (gmsh->binary || mesh_scan_end_of_line(&gmsh->scan, what));
}
