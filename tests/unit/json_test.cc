/* SPDX-License-Identifier: MIT */
/* gfab_json_parse and gfab_json_read, beside jansson's own reader: what is taken is the same, and so is its value. */
#include <gossipfab/base/json.h>

#include <gtest/gtest.h>
#include <jansson.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace
{

const std::vector<std::string> good = {
    "{}",
    " [ ] ",
    "[1, -2, 0, -0, 9223372036854775807, -9223372036854775808]",
    "[0.5, -1.25e3, 1e0, 1E+2, 5e-1, 0e5]",
    "[true, false, null, [[]], {\"a\": {\"b\": []}}]",
    "{\"\": \"\", \"a b\": \"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u0061\": 1}",
    "[\"\\u00e9\\u20ac\\ud83d\\ude00\", \"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"]",
    "\r\n\t{\"names\" : [\"node-0.rack-1\", \"node-0.rack-123456789012345678901234567890\"]}\n",
};

struct Bad {
    const char *text;
    size_t line;
    const char *message;
};

const Bad bad[] = {
    {"", 1, "neither { nor ["},
    {"1", 1, "neither { nor ["},
    {"\"a\"", 1, "neither { nor ["},
    {"[1]\n\n]", 3, "more behind its end"},
    {"[1, ]", 1, "a value is expected"},
    {"[1\n 2]", 2, "a comma or ] is expected"},
    {"[1", 1, "a comma or ] is expected"},
    {"{\"a\": 1", 1, "a comma or } is expected"},
    {"{\"a\" 1}", 1, "a colon is expected"},
    {"{a: 1}", 1, "a name in quotation marks is expected"},
    {"{\"a\": 1,}", 1, "a name in quotation marks is expected"},
    {"{\"a\": 1, \"\\u0061\": 2}", 1, "a name that the object has already"},
    {"[01]", 1, "a value is expected"},
    {"[-]", 1, "a value is expected"},
    {"[1.]", 1, "a value is expected"},
    {"[.5]", 1, "a value is expected"},
    {"[1e]", 1, "a value is expected"},
    {"[+1]", 1, "a value is expected"},
    {"[0x10]", 1, "a comma or ] is expected"},
    {"[nul]", 1, "a value is expected"},
    {"[9223372036854775808]", 1, "a number that is too large"},
    {"[1e999]", 1, "a number that is too large"},
    {"[\"a]", 1, "a string without its end"},
    {"[\"a\\", 1, "an escape that is none"},
    {"[\"a\\\"", 1, "a string without its end"},
    {"[\"\\x\"]", 1, "an escape that is none"},
    {"[\"\\u12\"]", 1, "four digits"},
    {"[\"\\u0000\"]", 1, "four digits"},
    {"[\"\\ud800\"]", 1, "four digits"},
    {"[\"\\ud800\\u0041\"]", 1, "four digits"},
    {"[\"\\udc00\"]", 1, "four digits"},
    {"[\"a\nb\"]", 1, "a byte that no string can have"},
    {"[\"\xff\"]", 1, "a byte that no string can have"},
    {"[\"\xc0\x80\"]", 1, "a byte that no string can have"},
    {"[\"\xed\xa0\x80\"]", 1, "a byte that no string can have"},
    {"[\"\xf4\x90\x80\x80\"]", 1, "a byte that no string can have"},
    {"[\"\xe2\x82\"]", 1, "a byte that no string can have"},
};

void compare(const std::string &text, bool *taken)
{
    json_t *value = nullptr, *reference = json_loads(text.c_str(), JSON_REJECT_DUPLICATES, nullptr);
    gfab_diag diag = {0, ""};
    const gfab_status status = gfab_json_parse(text.c_str(), &value, &diag);
    *taken = status == GFAB_OK;
    EXPECT_EQ(status == GFAB_OK, !!value);
    EXPECT_EQ(!!value, !!reference) << text << ": " << diag.message;
    if (value && reference) {
        EXPECT_TRUE(json_equal(value, reference)) << text;
    }
    json_decref(value);
    json_decref(reference);
}

TEST(Json, TakesWhatIsRight)
{
    bool taken = false;
    for (const std::string &text : good) {
        compare(text, &taken);
        EXPECT_TRUE(taken) << text;
    }
}

TEST(Json, SaysWhatIsWrongAndWhere)
{
    for (const Bad &one : bad) {
        json_t *value = nullptr;
        gfab_diag diag = {0, ""};
        EXPECT_EQ(gfab_json_parse(one.text, &value, &diag), GFAB_ERR_PARSE) << one.text;
        EXPECT_EQ(value, nullptr);
        EXPECT_EQ(diag.line, one.line) << one.text;
        EXPECT_EQ(std::string(diag.message).rfind("not JSON: ", 0), 0U) << diag.message;
        EXPECT_NE(std::string(diag.message).find(one.message), std::string::npos) << one.text << ": " << diag.message;
        bool taken = false;
        compare(one.text, &taken);
    }
}

/* Every text above with a byte left out, doubled, exchanged, or another put in its place. */
TEST(Json, IsJanssonsChoiceInTextsNearby)
{
    std::mt19937 random(1);
    const std::string letters = "{}[],:\"\\ue-+.0159 \n\xc3\xa9";
    size_t taken_count = 0, refused_count = 0;
    for (const std::string &text : good)
        for (size_t i = 0; i < text.size(); i++)
            for (int kind = 0; kind < 6; kind++) {
                std::string other = text;
                bool taken = false;
                if (kind == 0)
                    other.erase(i, 1);
                else if (kind == 1)
                    other.insert(i, 1, text[i]);
                else if (kind == 2 && i > 0)
                    std::swap(other[i - 1], other[i]);
                else
                    other[i] = letters[random() % letters.size()];
                compare(other, &taken);
                (taken ? taken_count : refused_count)++;
            }
    EXPECT_GT(taken_count, 300U);
    EXPECT_GT(refused_count, 300U);
}

size_t allocations_left;

void *allocate(size_t size)
{
    return allocations_left-- > 0 ? malloc(size) : nullptr;
}

/* Jansson's reader takes some of these texts with a byte less in a string, or writes behind one. */
TEST(Json, NoticesThatMemoryRunsOut)
{
    for (const std::string &text : good) {
        json_t *wanted = nullptr, *value = nullptr;
        gfab_status status = gfab_json_parse(text.c_str(), &wanted, nullptr);
        ASSERT_EQ(status, GFAB_OK);
        json_set_alloc_funcs(allocate, free);
        for (size_t count = 0; count == 0 || status != GFAB_OK; count++) {
            ASSERT_LT(count, 1000U);
            json_decref(value);
            allocations_left = count;
            gfab_diag diag = {0, ""};
            status = gfab_json_parse(text.c_str(), &value, &diag);
            EXPECT_TRUE(status == GFAB_OK || status == GFAB_ERR_NO_MEMORY) << text << ": " << diag.message;
            EXPECT_EQ(status == GFAB_OK, !!value);
        }
        json_set_alloc_funcs(malloc, free);
        EXPECT_TRUE(json_equal(value, wanted)) << text;
        json_decref(value);
        json_decref(wanted);
    }
}

TEST(Json, NestsSoDeepAndNoDeeper)
{
    for (size_t depth : {256, 257}) {
        json_t *value = nullptr;
        const std::string text = std::string(depth, '[') + std::string(depth, ']');
        EXPECT_EQ(gfab_json_parse(text.c_str(), &value, nullptr), depth == 256 ? GFAB_OK : GFAB_ERR_PARSE);
        json_decref(value);
    }
}

TEST(Json, ReadsFilesWhole)
{
    for (size_t length : {1, 4000, 4094, 4095, 4096, 100000}) {
        FILE *file = tmpfile();
        ASSERT_NE(file, nullptr);
        fprintf(file, "[\"%s\"]", std::string(length, 'x').c_str());
        rewind(file);
        json_t *value = nullptr;
        EXPECT_EQ(gfab_json_read(file, &value, nullptr), GFAB_OK);
        EXPECT_EQ(json_string_length(json_array_get(value, 0)), length);
        json_decref(value);
        fputc('\0', file);
        rewind(file);
        EXPECT_EQ(gfab_json_read(file, &value, nullptr), GFAB_ERR_PARSE);
        EXPECT_EQ(value, nullptr);
        fclose(file);
    }
}

} // namespace
