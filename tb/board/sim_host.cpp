// SPDX-License-Identifier: MIT
// A board that is simulated: the board top in Verilator, its serial line at a pseudo-terminal, whose name is the first
// line printed. What drives a real board (gossipfab board --port) drives this one. It runs until it is killed.
//   --disturb P        of the bytes, each way, P in 1000 are lost, doubled or changed; --seed S
//   --power-cycle N    after N bytes from the host the board loses its power for a moment
//   --unplug N         after N bytes from the host the port goes away
// At the end, which SIGTERM makes, too, the counts of bytes and of those that were disturbed are printed. Built with
// Verilator's --coverage it also writes what the RTL went through, from each power-up on: coverage_PROCESS_NUMBER.dat.
#include "Vboard_top.h"
#include <verilated.h>
#include <verilated_cov.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <map>
#include <memory>
#include <poll.h>
#include <random>
#include <string>
#include <unistd.h>

namespace
{

constexpr unsigned IDLE_CYCLES = 4000; // without a byte, after which the clock waits for the host
constexpr unsigned LOOK_CYCLES = 200;  // between looks at the port

volatile std::sig_atomic_t ended;

void end(int)
{
    ended = 1;
}

void write_coverage([[maybe_unused]] VerilatedContext &context)
{
#if VM_COVERAGE
    static unsigned runs;
    const std::string run = std::to_string(getpid()) + "_" + std::to_string(runs++);
    context.coveragep()->write(("coverage_" + run + ".dat").c_str());
#endif
}

// A line that loses bytes, doubles them or changes them.
class Line
{
  public:
    Line(unsigned per_mille, uint64_t seed) : per_mille_(per_mille), random_(seed) {}
    template <typename Take> void pass(uint8_t byte, Take take)
    {
        bytes++;
        if (random_() % 1000 >= per_mille_) {
            take(byte);
            return;
        }
        disturbed++;
        const unsigned how = random_() % 3;
        if (how == 0)
            return;
        take(how == 1 ? byte : static_cast<uint8_t>(byte ^ (1 + random_() % 255)));
        if (how == 1)
            take(byte);
    }
    unsigned long long bytes = 0, disturbed = 0;

  private:
    unsigned per_mille_;
    std::mt19937_64 random_;
};

class Board
{
  public:
    Board(int port, unsigned per_mille, uint64_t seed)
        : port_(port), from_host_(per_mille, seed), to_host_(per_mille, seed + 1)
    {
        power_up();
    }
    ~Board() { power_down(); }

    void power_up()
    {
        power_down();
        context_ = std::make_unique<VerilatedContext>();
        context_->randReset(0); // as after configuration, when no store has what was loaded
        top_ = std::make_unique<Vboard_top>(context_.get(), "board");
        top_->i_clk = 0;
        top_->i_uart_rx = 1;
        sending_ = receiving_ = 0;
    }

    void power_down()
    {
        if (!top_)
            return;
        write_coverage(*context_);
        top_.reset(); // before its context
    }

    // Bytes of the host, if there are any; false where it has the port no longer open.
    bool look()
    {
        uint8_t bytes[4096];
        const ssize_t size = read(port_, bytes, sizeof bytes);
        if (size > 0)
            idle_ = 0;
        for (ssize_t i = 0; i < size; i++)
            from_host_.pass(bytes[i], [this](uint8_t byte) { in_.push_back(byte); });
        return size >= 0 || errno == EAGAIN || errno == EINTR;
    }

    void cycle()
    {
        send_bit();
        top_->i_clk = 1;
        top_->eval();
        receive_bit(top_->o_uart_tx != 0);
        top_->i_clk = 0;
        top_->eval();
        idle_++;
    }
    bool idle() const { return idle_ > IDLE_CYCLES; }
    void wake() { idle_ = 0; }
    unsigned long long bytes_in() const { return from_host_.bytes; }
    void report() const
    {
        printf("bytes from the host: %llu, disturbed: %llu; to the host: %llu, disturbed: %llu\n", from_host_.bytes,
               from_host_.disturbed, to_host_.bytes, to_host_.disturbed);
    }

  private:
    // A start bit, eight bits, a stop bit; sending_ counts the cycles that are left of the byte.
    void send_bit()
    {
        if (sending_ == 0 && !in_.empty()) {
            out_bits_ = 0x200U | static_cast<unsigned>(in_.front()) << 1;
            in_.pop_front();
            sending_ = 10 * CLOCKS_PER_BIT;
        }
        if (sending_ > 0) {
            top_->i_uart_rx = out_bits_ >> (10 - (sending_ + CLOCKS_PER_BIT - 1) / CLOCKS_PER_BIT) & 1U;
            sending_--;
            idle_ = 0;
        } else {
            top_->i_uart_rx = 1;
        }
    }
    // receiving_ counts the cycles since the start bit's edge.
    void receive_bit(bool level)
    {
        if (receiving_ == 0 && level)
            return;
        idle_ = 0;
        const unsigned bit = receiving_ / CLOCKS_PER_BIT;
        if (receiving_++ % CLOCKS_PER_BIT != CLOCKS_PER_BIT / 2)
            return;
        if (bit >= 1 && bit <= 8)
            in_byte_ = static_cast<uint8_t>(in_byte_ >> 1 | (level ? 0x80U : 0U));
        if (bit == 9) {
            receiving_ = 0;
            to_host_.pass(in_byte_, [this](uint8_t byte) {
                while (write(port_, &byte, 1) < 0 && errno == EINTR)
                    ; // what the port does not take is lost, as on a line
            });
        }
    }

    int port_;
    Line from_host_, to_host_;
    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Vboard_top> top_;
    std::deque<uint8_t> in_;
    unsigned sending_ = 0, out_bits_ = 0, receiving_ = 0, idle_ = 0;
    uint8_t in_byte_ = 0;
};

int run(std::map<std::string, unsigned long long> &option)
{
    const int port = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (port < 0 || grantpt(port) != 0 || unlockpt(port) != 0) {
        fprintf(stderr, "sim_host: no pseudo-terminal: %s\n", strerror(errno));
        return 2;
    }
    printf("%s\n", ptsname(port));
    fflush(stdout);
    Board board(port, static_cast<unsigned>(option["--disturb"]), option["--seed"]);
    unsigned long long power_cycle = option["--power-cycle"];
    const unsigned long long unplug = option["--unplug"];
    while (ended == 0 && (unplug == 0 || board.bytes_in() < unplug)) {
        const bool open = board.look();
        if (power_cycle != 0 && board.bytes_in() >= power_cycle) {
            power_cycle = 0;
            board.power_up();
            board.wake();
        }
        if (board.idle()) {
            pollfd ready = {port, POLLIN, 0};
            if (open)
                poll(&ready, 1, 1000);
            else
                usleep(10000); // until someone opens the port, poll does not wait
            if (!(ready.revents & POLLIN))
                continue;
            board.wake();
        }
        for (unsigned cycle = 0; cycle < LOOK_CYCLES; cycle++)
            board.cycle();
    }
    close(port);
    board.report();
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    std::map<std::string, unsigned long long> option;
    for (int i = 1; i < argc; i += 2) {
        const std::string name = argv[i];
        const bool known = name == "--disturb" || name == "--seed" || name == "--power-cycle" || name == "--unplug";
        if (i + 1 == argc || !known) {
            fprintf(stderr, "usage: %s [--disturb PER_MILLE] [--seed S] [--power-cycle N] [--unplug N]\n", argv[0]);
            return 2;
        }
        option[name] = strtoull(argv[i + 1], nullptr, 10);
    }
    signal(SIGTERM, end);
    signal(SIGINT, end);
    return run(option);
}
