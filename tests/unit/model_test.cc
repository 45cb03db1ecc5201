// SPDX-License-Identifier: MIT
#include <gossipfab/schedule/model.h>
#include <gtest/gtest.h>

#include <string>

namespace
{

TEST(Model, DefaultIsThePapersHStar)
{
    const gfab_model m = gfab_model_default();
    EXPECT_EQ(m.link_mode, GFAB_LINK_HALF);
    EXPECT_EQ(m.port_mode, GFAB_PORT_ALL);
    EXPECT_EQ(m.packet_tokens, 1u);
    EXPECT_EQ(m.hop_rounds, 1u);
    EXPECT_EQ(gfab_model_check(&m, nullptr), GFAB_OK);
    EXPECT_STREQ(gfab_model_symbol(&m), "H*");
}

TEST(Model, EqualLooksAtEveryField)
{
    const gfab_model m = gfab_model_default();
    gfab_model other[5] = {m, m, m, m, m};
    other[0].link_mode = GFAB_LINK_FULL;
    other[1].port_mode = GFAB_PORT_ONE;
    other[2].packet_tokens = 2;
    other[3].hop_rounds = 2;
    other[4].routing = GFAB_ROUTING_CIRCUIT;
    EXPECT_TRUE(gfab_model_equal(&m, &m));
    for (const gfab_model &o : other)
        EXPECT_FALSE(gfab_model_equal(&m, &o));
}

TEST(Model, CheckRefusesWhatIsOutOfRange)
{
    const gfab_model m = gfab_model_default();
    gfab_model bad[5] = {m, m, m, m, m};
    bad[0].packet_tokens = 0;
    bad[1].hop_rounds = 0;
    bad[2].link_mode = static_cast<gfab_link_mode>(2);
    bad[3].port_mode = static_cast<gfab_port_mode>(2);
    bad[4].routing = static_cast<gfab_routing>(2);
    for (const gfab_model &b : bad) {
        gfab_diag diag{};
        EXPECT_EQ(gfab_model_check(&b, &diag), GFAB_ERR_INVALID);
        EXPECT_NE(std::string(diag.message), "");
    }
}

TEST(Model, NamesReadBack)
{
    for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
        gfab_link_mode back = mode == GFAB_LINK_HALF ? GFAB_LINK_FULL : GFAB_LINK_HALF;
        EXPECT_EQ(gfab_link_mode_parse(gfab_link_mode_name(mode), &back, nullptr), GFAB_OK);
        EXPECT_EQ(back, mode);
    }
    for (const gfab_port_mode mode : {GFAB_PORT_ALL, GFAB_PORT_ONE}) {
        gfab_port_mode back = mode == GFAB_PORT_ALL ? GFAB_PORT_ONE : GFAB_PORT_ALL;
        EXPECT_EQ(gfab_port_mode_parse(gfab_port_mode_name(mode), &back, nullptr), GFAB_OK);
        EXPECT_EQ(back, mode);
    }
    for (const gfab_routing routing : {GFAB_ROUTING_STORE_AND_FORWARD, GFAB_ROUTING_CIRCUIT}) {
        gfab_routing back = routing == GFAB_ROUTING_CIRCUIT ? GFAB_ROUTING_STORE_AND_FORWARD : GFAB_ROUTING_CIRCUIT;
        EXPECT_EQ(gfab_routing_parse(gfab_routing_name(routing), &back, nullptr), GFAB_OK);
        EXPECT_EQ(back, routing);
    }
    gfab_routing unknown = GFAB_ROUTING_CIRCUIT;
    EXPECT_EQ(gfab_routing_parse("cut-through", &unknown, nullptr), GFAB_ERR_PARSE);
    gfab_diag diag{};
    EXPECT_EQ(gfab_routing_parse("wormhole", &unknown, &diag), GFAB_ERR_PARSE);
    EXPECT_NE(std::string(diag.message).find("called circuit now"), std::string::npos) << diag.message;
    gfab_link_mode link = GFAB_LINK_FULL;
    gfab_port_mode port = GFAB_PORT_ONE;
    for (const char *text : {"", "Half", "halff", "all"})
        EXPECT_EQ(gfab_link_mode_parse(text, &link, nullptr), GFAB_ERR_PARSE) << text;
    for (const char *text : {"", "ALL", "on", "full"})
        EXPECT_EQ(gfab_port_mode_parse(text, &port, nullptr), GFAB_ERR_PARSE) << text;
    EXPECT_EQ(link, GFAB_LINK_FULL);
    EXPECT_EQ(port, GFAB_PORT_ONE);
}

TEST(Model, Symbols)
{
    const gfab_model models[4] = {{GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD},
                                  {GFAB_LINK_HALF, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD},
                                  {GFAB_LINK_FULL, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD},
                                  {GFAB_LINK_FULL, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD}};
    const char *const symbols[4] = {"H*", "H1", "F*", "F1"};
    for (int i = 0; i < 4; i++)
        EXPECT_STREQ(gfab_model_symbol(&models[i]), symbols[i]);
}

} // namespace
