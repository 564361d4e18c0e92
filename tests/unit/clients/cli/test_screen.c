// The screen: cells from pixels, the bytes that show them, colours of poor terminals, keys.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "screen.h"

static const struct cli_look rich = {.color = CLI_COLOR_TRUE, .utf8 = true};

static bool shows(const struct cli_screen *screen, const char *bytes)
{
    return screen->bytes.size && memmem(screen->bytes.data, screen->bytes.size, bytes, strlen(bytes)) != NULL;
}

static void two_pixels_make_a_half_block(void **state)
{
    (void)state;
    struct cli_screen screen = {0};
    const uint8_t rgb[] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120};
    assert_true(cli_screen_init(&screen, rich, 2, 1));
    cli_screen_image(&screen, rgb, 2, 2);
    assert_true(cli_screen_flush(&screen));
    assert_true(shows(&screen, "\033[38;2;10;20;30m\033[48;2;70;80;90m▀"));
    assert_true(shows(&screen, "\033[38;2;40;50;60m\033[48;2;100;110;120m▀"));
    cli_screen_deinit(&screen);
}

static void what_is_shown_already_is_not_sent_again(void **state)
{
    (void)state;
    struct cli_screen screen = {0};
    uint8_t rgb[3 * 8 * 4];
    memset(rgb, 100, sizeof rgb);
    assert_true(cli_screen_init(&screen, rich, 8, 2));
    cli_screen_image(&screen, rgb, 8, 4);
    assert_true(cli_screen_flush(&screen));
    assert_true(screen.bytes.size > 0);
    assert_true(cli_screen_flush(&screen));
    assert_int_equal(screen.bytes.size, 0);
    // A change too small to be seen, and one that is not: row 2, column 4 (from 1).
    rgb[3 * (8 * 2 + 3)] = 101;
    cli_screen_image(&screen, rgb, 8, 4);
    assert_true(cli_screen_flush(&screen));
    assert_int_equal(screen.bytes.size, 0);
    rgb[3 * (8 * 2 + 3)] = 140;
    cli_screen_image(&screen, rgb, 8, 4);
    assert_true(cli_screen_flush(&screen));
    assert_true(shows(&screen, "\033[2;4H\033[38;2;140;100;100m\033[48;2;100;100;100m▀\033[0m"));
    // After a resize nothing is known.
    assert_true(cli_screen_init(&screen, rich, 8, 2));
    cli_screen_image(&screen, rgb, 8, 4);
    assert_true(cli_screen_flush(&screen));
    assert_true(shows(&screen, "\033[1;1H"));
    cli_screen_deinit(&screen);
}

static void text_is_cut_at_the_edge_and_kept_whole(void **state)
{
    (void)state;
    struct cli_screen screen = {0};
    assert_true(cli_screen_init(&screen, rich, 4, 1));
    assert_int_equal(cli_screen_text(&screen, 0, 1, "gr\xc3\xbc\xc3\x9f", 0xffffff, 0), 4);
    assert_int_equal(cli_screen_text(&screen, 7, 0, "outside", 0, 0), 0);
    assert_true(cli_screen_flush(&screen));
    assert_true(shows(&screen, "gr\xc3\xbc"));
    assert_false(shows(&screen, "\xc3\x9f"));
    cli_screen_deinit(&screen);
}

static void without_utf8_brightness_becomes_characters(void **state)
{
    (void)state;
    struct cli_screen screen = {0};
    const struct cli_look plain = {.color = CLI_COLOR_NONE, .utf8 = false};
    uint8_t rgb[3 * 3 * 2] = {0};
    for (int i = 0; i < 3; i++) {
        memset(rgb + 3 * i, i * 127, 3), memset(rgb + 9 + 3 * i, i * 127, 3);
    }
    assert_true(cli_screen_init(&screen, plain, 3, 1));
    cli_screen_image(&screen, rgb, 3, 2);
    assert_true(cli_screen_flush(&screen));
    assert_false(shows(&screen, "38;"));
    assert_int_equal(screen.wanted[0].glyph[0], ' ');
    assert_int_equal(screen.wanted[2].glyph[0], '@');
    assert_true(screen.wanted[1].glyph[0] != ' ' && screen.wanted[1].glyph[0] != '@');
    cli_screen_text(&screen, 0, 0, "\xc3\xbc", 0, 0);
    assert_int_equal(screen.wanted[0].glyph[0], '?');
    cli_screen_deinit(&screen);
}

static void the_palette_of_256_is_met_exactly_where_it_can_be(void **state)
{
    (void)state;
    static const int levels[6] = {0, 95, 135, 175, 215, 255};
    for (int r = 0; r < 6; r++) {
        for (int g = 0; g < 6; g++) {
            for (int b = 0; b < 6; b++) {
                const uint32_t rgb = (uint32_t)(levels[r] << 16 | levels[g] << 8 | levels[b]);
                assert_int_equal(cli_color_256(rgb), 16 + 36 * r + 6 * g + b);
            }
        }
    }
    for (uint32_t grey = 0; grey < 24; grey++) {
        const uint32_t level = 8 + 10 * grey;
        assert_int_equal(cli_color_256(level << 16 | level << 8 | level), 232 + grey);
    }
    assert_int_equal(cli_color_256(0xfe0102), 196);
}

static void keys_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        int key;
        size_t used;
    } cases[] = {
        {"", 0, CLI_KEY_NONE, 0},
        {"q", 1, 'q', 1},
        {"\033[A", 3, CLI_KEY_UP, 3},
        {"\033OB", 3, CLI_KEY_DOWN, 3},
        {"\033[Cx", 4, CLI_KEY_RIGHT, 3},
        {"\033[1;5D", 6, CLI_KEY_LEFT, 6},
        {"\033[15~", 5, CLI_KEY_NONE, 5},
        {"\033", 1, CLI_KEY_NONE, 1},
        {"\033[", 2, CLI_KEY_NONE, 1},
        {"\033[12", 4, CLI_KEY_NONE, 4},
        {"\xff", 1, 0xff, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t used;
        assert_int_equal(cli_key_parse(cases[i].bytes, cases[i].size, &used), cases[i].key);
        assert_int_equal(used, cases[i].used);
    }
}

static void the_environment_tells_the_colors(void **state)
{
    (void)state;
    static const struct {
        const char *term, *color_term, *no_color;
        enum cli_color color;
    } cases[] = {
        {"xterm-256color", NULL, NULL, CLI_COLOR_256}, {"xterm-256color", "truecolor", NULL, CLI_COLOR_TRUE},
        {"xterm", "24bit", NULL, CLI_COLOR_TRUE},      {"xterm-direct", NULL, NULL, CLI_COLOR_TRUE},
        {"dumb", "truecolor", NULL, CLI_COLOR_NONE},   {NULL, "truecolor", NULL, CLI_COLOR_NONE},
        {"xterm", "truecolor", "1", CLI_COLOR_NONE},   {"xterm", "truecolor", "", CLI_COLOR_TRUE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *names[3] = {"TERM", "COLORTERM", "NO_COLOR"};
        const char *values[3] = {cases[i].term, cases[i].color_term, cases[i].no_color};
        for (int v = 0; v < 3; v++) {
            if (values[v]) {
                setenv(names[v], values[v], 1);
            } else {
                unsetenv(names[v]);
            }
        }
        assert_int_equal(cli_terminal_look().color, cases[i].color);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_pixels_make_a_half_block),
        cmocka_unit_test(what_is_shown_already_is_not_sent_again),
        cmocka_unit_test(text_is_cut_at_the_edge_and_kept_whole),
        cmocka_unit_test(without_utf8_brightness_becomes_characters),
        cmocka_unit_test(the_palette_of_256_is_met_exactly_where_it_can_be),
        cmocka_unit_test(keys_are_told_apart),
        cmocka_unit_test(the_environment_tells_the_colors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
