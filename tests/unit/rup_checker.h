// SPDX-License-Identifier: MIT
#ifndef RUP_CHECKER_H
#define RUP_CHECKER_H

#include <algorithm>
#include <cstdlib>
#include <istream>
#include <string>
#include <vector>

// A forward checker of proofs: each line must follow from the formula and the lines before it by unit propagation
// (reverse unit propagation, the part of DRAT without deletions and without new variables), and the empty clause
// must be one of them. Two watched literals; nothing of the solver is in it.
class RupChecker
{
  public:
    // Takes DIMACS; false if it is malformed or does not have the numbers of its header.
    bool read(std::istream &in)
    {
        std::string word;
        long variables = -1, clauses = -1, found = 0;
        while (in >> word && word == "c")
            std::getline(in, word);
        if (word != "p" || !(in >> word >> variables >> clauses) || word != "cnf")
            return false;
        for (std::vector<int> clause; next(in, clause); found++) {
            for (const int literal : clause)
                if (std::abs(literal) > variables)
                    return false;
            insert(clause);
        }
        return in.eof() && found == clauses;
    }

    // True if every line holds and the proof ends in a contradiction; else line() is the first that does not.
    bool check(std::istream &proof)
    {
        std::vector<int> clause;
        for (line_ = 1; next(proof, clause); line_++) {
            if (!follows(clause))
                return false;
            if (clause.empty())
                return true;
            insert(clause);
        }
        return false;
    }

    size_t line() const { return line_; }

  private:
    static bool next(std::istream &in, std::vector<int> &clause)
    {
        clause.clear();
        int literal;
        while (in >> literal) {
            if (literal == 0)
                return true;
            clause.push_back(literal);
        }
        return false;
    }

    static size_t index(int literal) { return 2 * static_cast<size_t>(std::abs(literal)) + (literal < 0); }

    bool is(int literal) const { return index(literal) < true_.size() && true_[index(literal)]; }

    void insert(std::vector<int> clause)
    {
        std::sort(clause.begin(), clause.end());
        clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
        for (const int literal : clause)
            if (const size_t need = 2 * static_cast<size_t>(std::abs(literal)) + 2; need > true_.size()) {
                true_.resize(need);
                watches_.resize(need);
            }
        empty_ = empty_ || clause.empty();
        if (clause.size() == 1)
            units_.push_back(clause[0]);
        if (clause.size() < 2)
            return;
        for (size_t i = 0; i < 2; i++)
            watches_[index(clause[i])].push_back(clauses_.size());
        clauses_.push_back(clause);
    }

    // Whether the clause's opposite leads to a conflict by unit propagation alone.
    bool follows(const std::vector<int> &clause)
    {
        std::vector<int> trail;
        bool conflict = empty_;
        const auto assign = [&](int literal) {
            if (is(-literal))
                conflict = true;
            else if (!is(literal)) {
                if (index(literal) >= true_.size()) {
                    true_.resize(2 * static_cast<size_t>(std::abs(literal)) + 2);
                    watches_.resize(true_.size());
                }
                true_[index(literal)] = true;
                trail.push_back(literal);
            }
        };
        for (const int literal : clause)
            assign(-literal);
        for (const int literal : units_)
            assign(literal);
        for (size_t i = 0; i < trail.size() && !conflict; i++) {
            std::vector<size_t> &watching = watches_[index(-trail[i])];
            size_t kept = 0;
            for (size_t j = 0; j < watching.size(); j++) {
                std::vector<int> &c = clauses_[watching[j]];
                if (c[0] == -trail[i])
                    std::swap(c[0], c[1]);
                size_t k = 2;
                while (k < c.size() && is(-c[k]))
                    k++;
                if (is(c[0]) || k == c.size()) {
                    watching[kept++] = watching[j];
                    assign(c[0]);
                } else {
                    std::swap(c[1], c[k]);
                    watches_[index(c[1])].push_back(watching[j]);
                }
            }
            watching.resize(kept);
        }
        for (const int literal : trail)
            true_[index(literal)] = false;
        return conflict;
    }

    std::vector<std::vector<int>> clauses_; // of two literals or more; the first two are watched
    std::vector<std::vector<size_t>> watches_;
    std::vector<bool> true_;
    std::vector<int> units_;
    bool empty_ = false;
    size_t line_ = 0;
};

#endif
