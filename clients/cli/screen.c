// A screen of character cells. See screen.h.
//
// Colour changes too small to see are not sent, so a slowly turning picture costs little.
#include "screen.h"

#include "protocol/array/reserve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTICED = 3 }; // steps of 255
static const char ramp[] = " .,:;-=+*coaxX%#@";

static void add(struct cli_bytes *bytes, const char *data, size_t size)
{
    if (bytes->failed) {
        return;
    }
    if (!array_reserve(&bytes->data, &bytes->capacity, bytes->size + size)) {
        bytes->failed = true;
        return;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

bool cli_screen_init(struct cli_screen *screen, struct cli_look look, int columns, int rows)
{
    const size_t count = (size_t)columns * (size_t)rows;
    struct cli_cell *wanted = calloc(count, sizeof *wanted), *shown = calloc(count, sizeof *shown);
    if (columns < 1 || rows < 1 || !wanted || !shown) {
        free(wanted);
        free(shown);
        return false;
    }
    free(screen->wanted);
    free(screen->shown);
    screen->look = look;
    screen->columns = columns;
    screen->rows = rows;
    screen->wanted = wanted;
    screen->shown = shown;
    screen->fresh = true;
    for (size_t i = 0; i < count; i++) {
        wanted[i].glyph[0] = ' ';
    }
    return true;
}

void cli_screen_deinit(struct cli_screen *screen)
{
    free(screen->wanted);
    free(screen->shown);
    free(screen->bytes.data);
    memset(screen, 0, sizeof *screen);
}

uint8_t cli_color_256(uint32_t rgb)
{
    static const int levels[6] = {0, 95, 135, 175, 215, 255};
    const int channel[3] = {(int)(rgb >> 16 & 255), (int)(rgb >> 8 & 255), (int)(rgb & 255)};
    int cube[3], cube_error = 0;
    for (int i = 0; i < 3; i++) {
        cube[i] = channel[i] < 48 ? 0 : channel[i] < 115 ? 1 : (channel[i] - 35) / 40;
        const int off = channel[i] - levels[cube[i]];
        cube_error += off * off;
    }
    const int mean = (channel[0] + channel[1] + channel[2]) / 3;
    const int grey = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 3) / 10;
    int grey_error = 0;
    for (int i = 0; i < 3; i++) {
        const int off = channel[i] - (8 + 10 * grey);
        grey_error += off * off;
    }
    return (uint8_t)(grey_error < cube_error ? 232 + grey : 16 + 36 * cube[0] + 6 * cube[1] + cube[2]);
}

static uint32_t color_of(const struct cli_screen *screen, uint32_t rgb)
{
    switch (screen->look.color) {
    case CLI_COLOR_TRUE:
        return rgb;
    case CLI_COLOR_256:
        return cli_color_256(rgb);
    case CLI_COLOR_NONE:
        break;
    }
    return 0;
}

static uint32_t pixel(const uint8_t *rgb)
{
    return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

// With few colours, a pattern of the two nearest ones shows the colours between them.
static uint32_t dithered(const struct cli_screen *screen, uint32_t rgb, int x, int y)
{
    static const int8_t pattern[4][4] = {
        {-15, 1, -11, 5}, {9, -7, 13, -3}, {-9, 7, -13, 3}, {15, -1, 11, -5}};
    uint32_t result = 0;
    if (screen->look.color != CLI_COLOR_256) {
        return rgb;
    }
    for (int shift = 0; shift <= 16; shift += 8) {
        const int moved = (int)(rgb >> shift & 255) + pattern[y & 3][x & 3];
        result |= (uint32_t)(moved < 0 ? 0 : moved > 255 ? 255 : moved) << shift;
    }
    return result;
}

// Brightness for characters instead of colours: saturated colours count as bright, and the dark background is empty.
static int brightness(uint32_t rgb)
{
    const int red = (int)(rgb >> 16 & 255), green = (int)(rgb >> 8 & 255), blue = (int)(rgb & 255);
    const int light = (red * 54 + green * 183 + blue * 19) / 256;
    const int greatest = red > green ? (red > blue ? red : blue) : (green > blue ? green : blue);
    const int mixed = ((light + greatest) / 2 - 45) * 255 / (225 - 45);
    return mixed < 0 ? 0 : mixed > 255 ? 255 : mixed;
}

// The mean of two pixels, with the brightness of a full cell, because a character covers only a part of the cell.
static uint32_t bright_mix(uint32_t a, uint32_t b)
{
    uint32_t result = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        const uint32_t mean = ((a >> shift & 255) + (b >> shift & 255)) / 2;
        const uint32_t lifted = mean + (255 - mean) / 3;
        result |= lifted << shift;
    }
    return result;
}

void cli_screen_image(struct cli_screen *screen, const uint8_t *rgb, int width, int height)
{
    const bool blocks = screen->look.utf8 && screen->look.color != CLI_COLOR_NONE;
    for (int y = 0; y + 1 < height && y / 2 < screen->rows; y += 2) {
        struct cli_cell *row = screen->wanted + (size_t)(y / 2) * (size_t)screen->columns;
        for (int x = 0; x < width && x < screen->columns; x++) {
            const uint32_t top = pixel(rgb + 3 * ((size_t)y * (size_t)width + (size_t)x));
            const uint32_t bottom = pixel(rgb + 3 * ((size_t)(y + 1) * (size_t)width + (size_t)x));
            struct cli_cell cell = {.glyph = {0}};
            if (blocks) {
                cell.front = color_of(screen, dithered(screen, top, x, y));
                cell.back = color_of(screen, dithered(screen, bottom, x, y + 1));
                memcpy(cell.glyph, "\xe2\x96\x80", 3); // ▀
            } else {
                const int light = (brightness(top) + brightness(bottom)) / 2;
                cell.glyph[0] = ramp[light * (int)(sizeof ramp - 2) / 255];
                cell.front = color_of(screen, bright_mix(top, bottom));
                cell.back = color_of(screen, 0);
            }
            row[x] = cell;
        }
    }
}

int cli_screen_text(struct cli_screen *screen, int row, int column, const char *text, uint32_t front,
                    uint32_t back)
{
    if (row < 0 || row >= screen->rows) {
        return column;
    }
    const unsigned char *c = (const unsigned char *)text;
    while (*c && column < screen->columns) {
        const size_t length = *c < 0x80 ? 1 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : 4;
        struct cli_cell cell = {.front = color_of(screen, front), .back = color_of(screen, back)};
        size_t have = 0;
        while (have < length && c[have]) {
            have++;
        }
        if (have < length) {
            break;
        }
        if (length == 1 || screen->look.utf8) {
            memcpy(cell.glyph, c, length);
        } else {
            cell.glyph[0] = '?';
        }
        screen->wanted[(size_t)row * (size_t)screen->columns + (size_t)column++] = cell;
        c += length;
    }
    return column;
}

static bool far_apart(const struct cli_screen *screen, uint32_t a, uint32_t b)
{
    if (screen->look.color != CLI_COLOR_TRUE) {
        return a != b;
    }
    for (int shift = 0; shift <= 16; shift += 8) {
        if (abs((int)(a >> shift & 255) - (int)(b >> shift & 255)) >= NOTICED) {
            return true;
        }
    }
    return false;
}

static void add_color(struct cli_screen *screen, bool is_front, uint32_t color)
{
    char text[32];
    int size = 0;
    if (screen->look.color == CLI_COLOR_TRUE) {
        size = snprintf(text, sizeof text, "\033[%d;2;%u;%u;%um", is_front ? 38 : 48, color >> 16 & 255,
                        color >> 8 & 255, color & 255);
    } else if (screen->look.color == CLI_COLOR_256) {
        size = snprintf(text, sizeof text, "\033[%d;5;%um", is_front ? 38 : 48, color & 255);
    }
    add(&screen->bytes, text, (size_t)size);
}

bool cli_screen_flush(struct cli_screen *screen)
{
    struct cli_bytes *bytes = &screen->bytes;
    bytes->size = 0;
    bytes->failed = false;
    // A terminal that supports these two shows only the finished picture.
    static const char begin[] = "\033[?2026h\033[0m", end[] = "\033[0m\033[?2026l";
    add(bytes, begin, sizeof begin - 1);
    const size_t empty = bytes->size;
    uint32_t front = UINT32_MAX, back = UINT32_MAX;
    for (int row = 0; row < screen->rows; row++) {
        int cursor = -1;
        for (int column = 0; column < screen->columns; column++) {
            const size_t at = (size_t)row * (size_t)screen->columns + (size_t)column;
            const struct cli_cell *cell = &screen->wanted[at];
            struct cli_cell *shown = &screen->shown[at];
            if (!screen->fresh && memcmp(cell->glyph, shown->glyph, sizeof cell->glyph) == 0 &&
                !far_apart(screen, cell->front, shown->front) &&
                !far_apart(screen, cell->back, shown->back)) {
                continue;
            }
            if (cursor != column) {
                char text[32];
                add(bytes, text, (size_t)snprintf(text, sizeof text, "\033[%d;%dH", row + 1, column + 1));
            }
            if (cell->front != front) {
                add_color(screen, true, front = cell->front);
            }
            if (cell->back != back) {
                add_color(screen, false, back = cell->back);
            }
            add(bytes, cell->glyph, strnlen(cell->glyph, sizeof cell->glyph));
            *shown = *cell;
            cursor = column + 1;
        }
    }
    screen->fresh = false;
    if (bytes->size == empty) {
        bytes->size = 0;
    } else {
        add(bytes, end, sizeof end - 1);
    }
    return !bytes->failed;
}
