/* SPDX-License-Identifier: MIT */
/* Names of users that go into what is written: of the fabric's module, of boards. Here is the one table of words that
 * tools keep for themselves, so that no tool refuses what is written for its name. */
#include "gen.h"

#include <ctype.h>
#include <string.h>

/* Words, each with a blank on both sides. Verilog's are those of IEEE 1364-2005, SystemVerilog's of IEEE 1800-2017, for
 * which many tools take every source; VHDL's of IEEE 1076-2019, of which a design may be that has the fabric; C++'s of
 * ISO 14882:2020. */
static const struct {
    unsigned where;
    bool any_case; /* capital letters are no others */
    const char *what, *words;
} reserved[] = {
    {GFAB_GEN_NAMES, false, "a keyword of Verilog or SystemVerilog",
     " accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind"
     " bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config"
     " const constraint context continue cover covergroup coverpoint cross deassign default defparam design disable"
     " dist do edge else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup"
     " endinterface endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable endtask"
     " enum event eventually expect export extends extern final first_match for force foreach forever fork forkjoin"
     " function generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import"
     " incdir include initial inout input inside instance int integer interconnect interface intersect join join_any"
     " join_none large let liblist library local localparam logic longint macromodule matches medium modport module"
     " nand negedge nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed"
     " parameter pmos posedge primitive priority program property protected pull0 pull1 pulldown pullup"
     " pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence rcmos real realtime ref reg"
     " reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime"
     " s_until s_until_with scalared sequence shortint shortreal showcancelled signed small soft solve specify"
     " specparam static string strong strong0 strong1 struct super supply0 supply1 sync_accept_on sync_reject_on table"
     " tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg"
     " type typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual void wait"
     " wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor "},
    {GFAB_GEN_NAMES, true, "a keyword of VHDL",
     " abs access after alias all and architecture array assert assume assume_guarantee attribute begin block body"
     " buffer bus case component configuration constant context cover default disconnect downto else elsif end entity"
     " exit fairness file for force function generate generic group guarded if impure in inertial inout is label"
     " library linkage literal loop map mod nand new next nor not null of on open or others out package parameter port"
     " postponed private procedure process property protected pure range record register reject release rem report"
     " restrict restrict_guarantee return rol ror select sequence severity shared signal sla sll sra srl strong"
     " subtype then to transport type unaffected units until use variable view vmode vpkg vprop vunit wait when while"
     " with xnor xor "},
    {GFAB_GEN_NAMES, false, "a word of C++, of which Verilator makes simulators",
     " alignas alignof and_eq asm auto bitand bitor bool catch char char16_t char32_t char8_t co_await co_return"
     " co_yield compl concept const_cast consteval constexpr constinit decltype delete double dynamic_cast explicit"
     " false float friend goto inline long mutable namespace noexcept not_eq nullptr operator or_eq public"
     " reinterpret_cast requires short sizeof static_assert static_cast switch template thread_local throw true try"
     " typeid typename using volatile wchar_t xor_eq main "},
    {GFAB_GEN_NAMES, false, "what Verilator calls its own root", " TOP "},
    {GFAB_GEN_NAMES | GFAB_GEN_FILES, true, "a device on Windows, where no file is called so",
     " aux con nul prn com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9 "},
    {GFAB_GEN_TARGETS, false, "a target that the FuseSoC core of every folder has",
     " default axis registers lint sim synth "}};

/* What modules of a generated folder are called, or how their names begin. */
static const char *const ours[] = {"board_top", "gfab_*", "gossip_chip_*", "tb_*"};

static bool stands_for(const char *pattern, const char *name)
{
    const char *star = strchr(pattern, '*');
    return star ? strncmp(pattern, name, (size_t)(star - pattern)) == 0 : strcmp(pattern, name) == 0;
}

const char *gfab_gen_ours(const char *name)
{
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (stands_for(ours[i], name))
            return ours[i];
    return NULL;
}

gfab_status gfab_gen_check_word(const char *kind, const char *name, unsigned where, gfab_diag *diag)
{
    char as_it_is[GFAB_GEN_NAME], small[GFAB_GEN_NAME];
    (void)snprintf(as_it_is, sizeof as_it_is, " %s ", name);
    size_t i = 0;
    do
        small[i] = (char)tolower((unsigned char)as_it_is[i]);
    while (as_it_is[i++] != '\0');
    for (i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        if (where & reserved[i].where && strstr(reserved[i].words, reserved[i].any_case ? small : as_it_is))
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s '%s' is %s; give another", kind, name, reserved[i].what);
    return GFAB_OK;
}

gfab_status gfab_fabric_check_name(const char *name, gfab_diag *diag)
{
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_')
        length++;
    if (!isalpha((unsigned char)name[0]) || name[length] != '\0' || length > GFAB_FABRIC_NAME_MAX)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "name '%.60s': a module's name is a letter and at most %d letters, digits and _", name,
                         GFAB_FABRIC_NAME_MAX - 1);
    if (strstr(name, "__") || name[length - 1] == '_')
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "name '%s': no _ stands beside another or at the end, which VHDL and C++ refuse", name);
    if (gfab_gen_ours(name))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "name '%s': modules named %s are gossipfab's own; give another",
                         name, gfab_gen_ours(name));
    return gfab_gen_check_word("name", name, GFAB_GEN_NAMES, diag);
}
