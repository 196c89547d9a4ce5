#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/settings.hpp"
#include "app/value.hpp"
#include "base/text.hpp"

/// How a setting's text becomes a value of Settings. Each function makes what Setting::apply calls: it says
/// false when the text is not written as it must be. `place` gives a pointer to where the value goes, or for
/// the kinds with a range is called with the value. Only setting_table.cpp includes this.
namespace codebox::app {

using Apply = std::function<bool(Settings&, const std::string&)>;

template <class Parsed, class Place>
Apply into(Parsed (*parse)(const std::string&), Place place) {
  return [parse, place](Settings& settings, const std::string& text) {
    const auto parsed = parse(text);
    if (!parsed) return false;
    *place(settings) = *parsed;
    return true;
  };
}

template <class Place>
Apply text_into(Place place) {
  return [place](Settings& settings, const std::string& text) {
    *place(settings) = text;
    return true;
  };
}

/// Text that `check` finds well written.
template <class Place>
Apply checked_into(bool (*check)(std::string_view), Place place) {
  return [=](Settings& settings, const std::string& text) {
    *place(settings) = text;
    return check(text);
  };
}

template <class Place>
Apply list_into(Place place) {
  return [place](Settings& settings, const std::string& text) {
    *place(settings) = value::list(text);
    return true;
  };
}

/// A list of which each item is well written.
template <class Place>
Apply checked_list_into(bool (*check)(std::string_view), Place place) {
  return [=](Settings& settings, const std::string& text) {
    const auto items = value::list(text);
    *place(settings) = items;
    return std::all_of(items.begin(), items.end(), check);
  };
}

/// One of a few words; `place` gets the position of the word.
template <class Place>
Apply word_into(std::vector<std::string> words, Place place) {
  return [words = std::move(words), place](Settings& settings, const std::string& text) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (text::lower(text) == words[i]) {
        place(settings, i);
        return true;
      }
    }
    return false;
  };
}

template <class Place>
Apply whole_into(std::uint64_t lowest, std::uint64_t highest, Place place) {
  return [=](Settings& settings, const std::string& text) {
    const auto parsed = value::whole(text, lowest, highest);
    if (parsed) place(settings, *parsed);
    return parsed.has_value();
  };
}

template <class Place>
Apply number_into(double lowest, double highest, Place place) {
  return [=](Settings& settings, const std::string& text) {
    const auto parsed = value::number(text, lowest, highest);
    if (parsed) place(settings, *parsed);
    return parsed.has_value();
  };
}

template <class Place>
Apply bytes_into(std::uint64_t lowest, Place place, std::uint64_t highest = value::most_bytes) {
  return [=](Settings& settings, const std::string& text) {
    const auto parsed = value::bytes(text);
    if (!parsed || *parsed < lowest || *parsed > highest) return false;
    *place(settings) = static_cast<std::remove_reference_t<decltype(*place(settings))>>(*parsed);
    return true;
  };
}

}  // namespace codebox::app
