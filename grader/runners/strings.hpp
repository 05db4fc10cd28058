
// What every use of std::string needs, instantiated here once and for all: evaluating a call in a constant expression
// does that, and the precompiled header keeps it. Otherwise each compilation instantiates it again, for all character
// types, because the inline functions and literals of <string> use it.
#if defined(__cpp_lib_constexpr_string) && __cpp_lib_constexpr_string >= 201907L
namespace fp_prelude {

template <class Char>
constexpr bool makes(const Char *text) {
  Char letters[40] = {text[0], text[0]};  // more than a string holds without allocating
  const std::basic_string<Char> literal(text, 1), range(letters, letters + 40), same(letters, 40), copy(literal);
  const std::basic_string_view<Char> view(text), other = literal;
  std::char_traits<Char>::move(letters, letters + 1, 1), std::char_traits<Char>::copy(letters + 1, letters, 1);
  std::char_traits<Char>::assign(letters, 2, text[0]);
  return copy.c_str() == copy.data() && other.data() == literal.data() && view.length() == literal.length() &&
         range.length() == same.length() && std::char_traits<Char>::compare(text, letters, 1) == 0 &&
         std::char_traits<Char>::find(text, 1, text[0]) == text;
}

constexpr bool uses() {
  std::string text = "text", line(40, '-'), copy(text), moved(std::move(copy)), empty, viewed(std::string_view("view"));
  text = line, text = "text", text = std::move(moved), text += line, text += "text", text += '-';
  text.append("text"), text.append(line), text.push_back('-');
  text = std::string("a") + "b" + "c", text = "a" + std::string("b"), text = std::string("a") + line;
  text = line + std::string("a"), text = line + "a", text = "a" + line, text = line + line, text = line + '-';
  text = std::string("a") + std::string("b"), text.resize(8), text.clear(), line[0] = text.empty() ? 'a' : 'b';
  for (char &letter : line) letter = 'a';
  return line.c_str() == line.data() && line.size() == line.length() && empty.empty() && text != line && text != "a";
}

// No assertion: a library that cannot do it at compile time is only slower.
[[maybe_unused]] static const bool used =
    makes("a") && makes(L"a") && makes(u8"a") && makes(u"a") && makes(U"a") && uses();

}  // namespace fp_prelude
#endif
