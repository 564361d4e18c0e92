// Faults: why a function could not do its work. All modules below the wire use this one kind. It has a code for
// programs, the parameter at fault, and a sentence for people.
//
//     bool length_check(double length, struct fault *fault)
//     {
//         return length > 0 || fault_set(fault, FAULT_INVALID, "length", "length: %g m; must be greater than 0", length);
//     }
//
// The wire has an error of its own (protocol/error.h), and so has libweft (weft.h). protocol_error_fault makes the former
// of a fault.
#ifndef WEFT_PROTOCOL_FAULT_FAULT_H
#define WEFT_PROTOCOL_FAULT_FAULT_H

#include <stdarg.h>
#include <stdbool.h>

enum { FAULT_TEXT_SIZE = 512 }; // bytes, with the zero at the end

enum fault_code {
    FAULT_NONE,      // it was done
    FAULT_INVALID,   // a value, an index, a length or a file is wrong
    FAULT_NOT_FOUND, // there is no such thing
    FAULT_CONFLICT,  // it does not fit the present state
    FAULT_LIMIT,     // more than is allowed
    FAULT_MEMORY,    // memory ran out
    FAULT_DAMAGED,   // what is there is not what was written
    FAULT_BUSY,      // another process has it
    FAULT_VERSION,   // a later version made it
    FAULT_IO,        // a file, the system or a broker reports an error, which the text repeats
    FAULT_CANCELLED, // the caller stopped it
    FAULT_CODE_COUNT
};

struct fault {
    enum fault_code code;
    const char *field;          // the parameter at fault, a literal such as "positions"; NULL if none
    char text[FAULT_TEXT_SIZE]; // UTF-8 without control characters
};

// Fills *fault and returns false, so that a function can return that. fault may be NULL. The text may be made of the
// text that the fault had. A text that is too long ends in an ellipsis; control characters and broken UTF-8 in it are
// replaced.
bool fault_set(struct fault *fault, enum fault_code code, const char *field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Does the same and returns the code, for functions that return codes.
enum fault_code fault_code_set(struct fault *fault, enum fault_code code, const char *field,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));
// Does the same with the arguments of a function that has a variable number of them.
void fault_set_list(struct fault *fault, enum fault_code code, const char *field, const char *format,
                    va_list arguments) __attribute__((format(printf, 4, 0)));

// Returns the word that programs print before the text: "INVALID", "NOT_FOUND" …; for FAULT_IO it is "FILE".
const char *fault_word(enum fault_code code);

#endif
