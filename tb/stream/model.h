// SPDX-License-Identifier: MIT
// The C model beside a fabric with streams, whose bench, tb_stream.v, says in each cycle what goes in and comes out.
#ifndef GFAB_TB_STREAM_MODEL_H
#define GFAB_TB_STREAM_MODEL_H

#include <gossipfab/cmodel/cmodel.h>

#include <memory>
#include <string>

namespace stream
{

// Ends the process with status 1.
[[noreturn]] void give_up(const std::string &what);

class Model
{
  public:
    // FOLDER/manifest.json says what the fabric is. spoiled: the model gets one slot of the program wrong, and must be
    // found out.
    Model(const std::string &folder, bool spoiled);
    ~Model();
    // A cycle: the same goes in, and the same must come out, be on every link, be taken and be written to every store;
    // gives up where it differs. Digits that are x, of words that no group counts, are not compared; hosts' are always
    // known.
    void play(const std::string &line);
    // Of another trace.
    void restart();
    size_t cycles() const;

  private:
    class Bench;
    std::unique_ptr<Bench> bench_;
};

} // namespace stream

#endif
