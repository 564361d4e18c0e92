// A screen of character cells: takes pictures and text, and gives the fewest bytes that make a terminal show them.
#ifndef WEFT_CLI_SCREEN_H
#define WEFT_CLI_SCREEN_H

#include "terminal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_cell {
    uint32_t front, back; // 0xRRGGBB, or a number in the palette of 256
    char glyph[4];        // UTF-8, not terminated if 4 long
};

struct cli_bytes {
    char *data;
    size_t size, capacity;
    bool failed; // memory ran out; later additions are lost
};

struct cli_screen {
    struct cli_look look;
    int columns, rows;
    struct cli_cell *wanted, *shown;
    bool fresh; // the terminal's contents are unknown
    struct cli_bytes bytes;
};

bool cli_screen_init(struct cli_screen *screen, struct cli_look look, int columns,
                     int rows); // call it again to resize
void cli_screen_deinit(struct cli_screen *screen);

// Draws pixels of three bytes, two rows of pixels to a row of cells: as half blocks with UTF-8 and colours, else as
// characters by brightness. width is at most columns, height at most twice the rows.
void cli_screen_image(struct cli_screen *screen, const uint8_t *rgb, int width, int height);
// Writes UTF-8 text into a row from a column on, cut at the right edge. Returns the column after it.
int cli_screen_text(struct cli_screen *screen, int row, int column, const char *text, uint32_t front,
                    uint32_t back);

// Writes to screen->bytes the bytes that change the shown screen into the wanted one. False if memory runs out.
bool cli_screen_flush(struct cli_screen *screen);

uint8_t cli_color_256(uint32_t rgb); // the nearest of the 6 × 6 × 6 cube and the 24 greys

#endif
