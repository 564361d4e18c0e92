// A screen of character cells: pictures and text go in, the fewest bytes that bring a terminal there come
// out.
#ifndef WEFT_CLI_SCREEN_H
#define WEFT_CLI_SCREEN_H

#include "terminal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_cell {
    uint32_t front, back; // 0xRRGGBB, or the number in the palette of 256
    char glyph[4];        // UTF-8, not terminated if 4 long
};

struct cli_bytes {
    char *data;
    size_t size, capacity;
    bool failed; // memory was short; what was added since is lost
};

struct cli_screen {
    struct cli_look look;
    int columns, rows;
    struct cli_cell *wanted, *shown;
    bool fresh; // nothing is known of what the terminal shows
    struct cli_bytes bytes;
};

bool cli_screen_init(struct cli_screen *screen, struct cli_look look, int columns,
                     int rows); // also to resize
void cli_screen_deinit(struct cli_screen *screen);

// Pixels of three bytes, two rows of pixels a row of cells: with UTF-8 and colours as half blocks, else as
// characters by brightness. width is at most columns, height at most twice the rows.
void cli_screen_image(struct cli_screen *screen, const uint8_t *rgb, int width, int height);
// Writes UTF-8 text into a row from a column on, cut at the right edge. Returns the column after it.
int cli_screen_text(struct cli_screen *screen, int row, int column, const char *text, uint32_t front,
                    uint32_t back);

// The bytes that lead from what is shown to what is wanted, in screen->bytes. False without memory.
bool cli_screen_flush(struct cli_screen *screen);

uint8_t cli_color_256(uint32_t rgb); // nearest of the 6 × 6 × 6 cube and the 24 greys

#endif
