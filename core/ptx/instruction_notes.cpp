#include "ptx/instruction_notes.h"

#include "support/json.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

namespace ptxwb::ptx {

std::string_view instructionCardsJson(); // instruction_cards_data.cpp

namespace {

using Rate = InstructionNotes::Rate;

Expected<std::map<std::string, Rate>> ratesFrom(const JsonReader& reader) {
    std::map<std::string, Rate> rates;
    const auto list = reader.at("capabilities");
    if (!list) return std::unexpected(list.error());
    const auto capabilities = list->texts();
    if (!capabilities) return std::unexpected(capabilities.error());
    const auto all = reader.at("rates");
    if (!all) return std::unexpected(all.error());
    const auto members = all->members();
    if (!members) return std::unexpected(members.error());
    for (const auto& [name, one] : *members) {
        auto what = one.text("what");
        if (!what) return std::unexpected(std::move(what.error()));
        const auto figures = one.elements("per_clock");
        if (!figures) return std::unexpected(figures.error());
        if (figures->size() != capabilities->size())
            return one.fail("per_clock needs one figure for each of capabilities");
        Rate& rate = rates[name];
        rate.what = std::move(*what);
        for (std::size_t i = 0; i < figures->size(); ++i) {
            const auto figure = (*figures)[i].integer();
            if (!figure) return std::unexpected(figure.error());
            if (*figure <= 0 || *figure > 1 << 16) return (*figures)[i].fail("a rate lies between 1 and 65536");
            rate.perClock.emplace_back((*capabilities)[i], static_cast<unsigned>(*figure));
        }
    }
    return rates;
}

Expected<InstructionNotes> notesFrom(const JsonReader& reader, const std::map<std::string, Rate>& rates,
                                     const JsonReader& latencies) {
    if (auto known = reader.onlyKeys({"syntax", "meaning", "types", "cost", "rates", "latency"}); !known)
        return std::unexpected(std::move(known.error()));
    InstructionNotes notes;
    const std::pair<const char*, std::string*> texts[] = {
        {"syntax", &notes.syntax}, {"meaning", &notes.meaning}, {"types", &notes.types}, {"cost", &notes.cost}};
    for (const auto& [key, target] : texts) {
        auto text = reader.text(key);
        if (!text) return std::unexpected(std::move(text.error()));
        if (text->empty()) return reader.fail(std::string(key) + " is empty");
        *target = std::move(*text);
    }
    const auto latency = reader.text("latency");
    if (!latency) return std::unexpected(latency.error());
    auto words = latencies.text(*latency);
    if (!words) return std::unexpected(std::move(words.error()));
    notes.latency = std::move(*words);
    const auto named = reader.elementsOr("rates");
    if (!named) return std::unexpected(named.error());
    for (const JsonReader& one : *named) {
        const auto name = one.text();
        if (!name) return std::unexpected(name.error());
        const auto rate = rates.find(*name);
        if (rate == rates.end()) return one.fail("\"" + *name + "\" is none of rates");
        notes.rates.push_back(rate->second);
    }
    return notes;
}

const InstructionCards& builtIn() {
    static const InstructionCards cards = [] {
        auto read = readInstructionCards(instructionCardsJson());
        if (read) return std::move(*read);
        std::fprintf(stderr, "resources/instructions/cards.json: %s\n", read.error().message.c_str());
        std::abort(); // our own mistake: the file is part of the program
    }();
    return cards;
}

} // namespace

Expected<InstructionCards> readInstructionCards(std::string_view text) {
    const auto value = parseJson(text, "cards.json");
    if (!value) return std::unexpected(value.error());
    const JsonReader reader(*value);
    if (auto known =
            reader.onlyKeys({"schema", "about", "capabilities", "rates_source", "rates", "latencies", "cards"});
        !known)
        return std::unexpected(std::move(known.error()));
    auto source = reader.text("rates_source");
    if (!source) return std::unexpected(std::move(source.error()));
    const auto rates = ratesFrom(reader);
    if (!rates) return std::unexpected(rates.error());
    const auto latencies = reader.at("latencies");
    if (!latencies) return std::unexpected(latencies.error());
    const auto all = reader.at("cards");
    if (!all) return std::unexpected(all.error());
    const auto members = all->members();
    if (!members) return std::unexpected(members.error());
    InstructionCards cards;
    cards.ratesSource = std::move(*source);
    for (const auto& [name, one] : *members) {
        const Opcode code = opcode(name);
        if (code == Opcode::unknown) return one.fail("there is no such opcode");
        auto notes = notesFrom(one, *rates, *latencies);
        if (!notes) return std::unexpected(std::move(notes.error()));
        const auto index = static_cast<std::size_t>(code);
        if (cards.notes.size() <= index) cards.notes.resize(index + 1);
        cards.notes[index] = std::move(*notes);
        cards.names.push_back(name);
    }
    return cards;
}

const InstructionNotes* instructionNotes(Opcode opcode) {
    const auto& notes = builtIn().notes;
    const auto index = static_cast<std::size_t>(opcode);
    return index < notes.size() && !notes[index].syntax.empty() ? &notes[index] : nullptr;
}

const std::string& instructionRatesSource() {
    return builtIn().ratesSource;
}

} // namespace ptxwb::ptx
