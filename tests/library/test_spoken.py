"""cg2p_display_new says names as people do: real names of C++, Rust and others, and what is told apart."""

from __future__ import annotations

import random
import sys
import unittest

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "library"))

import library  # noqa: E402

from cg2tools.profile.spoken import Spoken  # noqa: E402
from cg2tools.profile.terms import FunctionKey  # noqa: E402

STRING = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"
ITERATOR = (
    "__gnu_cxx::__normal_iterator<book::Order*, std::vector<book::Order, std::allocator<book::Order> "
    "> >"
)
WALK = "tree_node* (*)(tree_node**, int*, void*)"

CPLUSPLUS = (
    # Parameters, and what follows them.
    ("worker(int, unsigned long)", "worker"),
    ("clang::DeclContext::udir_iterator::operator*() const", "clang::DeclContext::udir_iterator::operator*"),
    ("A::f() const volatile", "A::f"), ("A::f() &&", "A::f"), ("A::f() const &", "A::f"),
    (f"walk_tree_1(tree_node**, {WALK}, void*, hash_set<tree_node*, false>*)", "walk_tree_1"),
    (f"walk_tree_1(tree_node**, {WALK}, void*)'2", "walk_tree_1'2"),
    ("f(int) [clone .isra.0]", "f [clone .isra.0]"),
    ("f(int) [clone .part.0] [clone .cold]", "f [clone .part.0] [clone .cold]"),
    ("f(int) (.llvm.123)", "f (.llvm.123)"), ("f(int)@@LIB_1.0", "f@@LIB_1.0"),
    # Return types, which instances of templates have.
    (f"void std::__introsort_loop<{ITERATOR}, long, main::{{lambda(int)#1}}>({ITERATOR}, {ITERATOR}, long)",
        "std::__introsort_loop<...>"),
    ("std::vector<int, std::allocator<int> >& f<int>(int)", "f<int>"),
    ("decltype(auto) f<int>(int)", "f<int>"), ("auto f<int>(int)", "f<int>"),
    ("decltype ((forward<int>)({parm#1})(0)) std::__invoke<int>(int&&)", "std::__invoke<int>"),
    ("std::enable_if<((1)>(0))&&((1)<(2)), int>::type f<int>(int)", "f<int>"),
    ("char const* const& std::max<char const*>(char const* const&, char const* const&)",
        "std::max<char const*>"),
    ("void (anonymous namespace)::f<int>(int)", "(anonymous namespace)::f<int>"),
    ("virtual thunk to A::f(int)", "virtual thunk to A::f"),
    ("non-virtual thunk to A::~A()", "non-virtual thunk to A::~A"),
    ("guard variable for f(int)::x", "guard variable for f::x"),
    # Template arguments.
    ("std::vector<int, std::allocator<int> >::push_back(int const&)", "std::vector<int>::push_back"),
    ("std::vector<std::vector<int, std::allocator<int> >, std::allocator<std::vector<int, "
     "std::allocator<int> > > >::f()", "std::vector<std::vector<int>>::f"),
    ("std::map<int, A, std::less<int>, std::allocator<std::pair<int const, A> > >::at(int)",
        "std::map<int, A>::at"),
    ("std::map<a<b>>::x<c>()", "std::map<a<b>>::x<c>"),
    ("book::Book<true>::submit(book::Order&)", "book::Book<true>::submit"),
    ("std::vector<book::account::Order>::at(int)", "std::vector<...>::at"),
    ("std::function<void (int)>::operator()(int) const", "std::function<void (int)>::operator()"),
    ("std::_Function_handler<void (), f(int)::{lambda()#1}>::_M_invoke(std::_Any_data const&)",
        "std::_Function_handler<...>::_M_invoke"),
    ("f<&(A::operator<)>(A)", "f<&(A::operator<)>"), ("f<(B)1, (char)60>()", "f<(B)1, (char)60>"),
    # The standard library's names.
    (f"{STRING}::_M_append(char const*, unsigned long)", "std::string::_M_append"),
    (f"std::vector<{STRING}, std::allocator<{STRING} > >::~vector()", "std::vector<std::string>::~vector"),
    ("std::__1::sort<int*>(int*, int*)", "std::sort<int*>"),
    ("std::__cxx11::to_string[abi:cxx11](int)", "std::to_string"), ("f[abi:cxx11]<int>()", "f<int>"),
    # Operators.
    ("operator<(A<int>, B)", "operator<"), ("bool operator< <int>(A<int>)", "operator< <int>"),
    ("clang::operator<<(llvm::raw_ostream&, clang::DeclarationName)", "clang::operator<<"),
    ("std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char)", "std::operator<< <...>"),
    ("std::basic_istream<char>& std::operator>><char, std::char_traits<char> >(A)", "std::operator>><char>"),
    ("bool std::operator><int>(A)", "std::operator><int>"), ("operator<=>(A, B)", "operator<=>"),
    ("A<int>::operator->() const", "A<int>::operator->"), ("A::operator->*(int)", "A::operator->*"),
    ("A::operator()<int>(int)", "A::operator()<int>"), ("A::operator()() const", "A::operator()"),
    ("A::operator[](int)", "A::operator[]"), ("A::operator,(int)", "A::operator,"),
    ("A::operator=(A&&)", "A::operator="),
    ("operator new(unsigned long)", "operator new"),
    ("operator delete[](void*, unsigned long)", "operator delete[]"),
    ("clang::APValue::LValueBase::operator bool() const", "clang::APValue::LValueBase::operator bool"),
    ("A::operator T*() const", "A::operator T*"), ("A::operator char const*()", "A::operator char const*"),
    ("A::operator std::vector<int, std::allocator<int> >()", "A::operator std::vector<int>"),
    ('operator"" _kg(long double)', 'operator"" _kg'),
    ("warn_logical_operator(unsigned int, tree_code)", "warn_logical_operator"),
    # What is within functions.
    ("main::{lambda(int)#1}::operator()(int) const", "main::{lambda#1}::operator()"),
    ("auto f(int)::{lambda(auto:1)#2}::operator()<int>(int) const", "f::{lambda#2}::operator()<int>"),
    ("A::f() const::{lambda()#1}::operator()() const", "A::f::{lambda#1}::operator()"),
    ("f(int)::{unnamed type#1}::g()", "f::{unnamed type#1}::g"),
    ("main::'lambda'(int)::operator()(int) const", "main::'lambda'::operator()"),
    ("'lambda'(int)::operator()(int) const", "'lambda'::operator()"),
    ("(anonymous namespace)::f(int)", "(anonymous namespace)::f"),
    ("A::(anonymous class)::f(int)", "A::(anonymous class)::f"),
)  # fmt: skip

RUST = (
    ("core::fmt::write::h0123456789abcdef", "core::fmt::write"),
    ("core::fmt::write::h0123456789abcdef.llvm.12", "core::fmt::write.llvm.12"),
    ("core[846817f741e54dfd]::fmt::write", "core::fmt::write"),
    ("<alloc[1234567890abcdef]::vec::Vec<u8> as std[846817f741e54dfd]::io::Write>::write_all",
        "<alloc::vec::Vec<u8> as std::io::Write>::write_all"),
    ("core::ptr::drop_in_place<alloc::boxed::Box<dyn core::any::Any+core::marker::Send>>",
        "core::ptr::drop_in_place<...>"),
    ("core::ptr::drop_in_place::<alloc::vec::Vec<(alloc::string::String, usize)>>",
        "core::ptr::drop_in_place::<...>"),
    ("<alloc::raw_vec::RawVec<addr2line::unit::UnitRange>>::grow_one",
        "<alloc::raw_vec::RawVec<...>>::grow_one"),
    ("<dyn core::any::Any + core::marker::Send as core::fmt::Debug>::fmt",
        "<dyn core::any::Any + core::marker::Send as core::fmt::Debug>::fmt"),
    ("<F as core::ops::function::FnOnce<(A,)>>::call_once{{vtable.shim}}::h0123456789abcdef",
        "<F as core::ops::function::FnOnce<(A,)>>::call_once{{vtable.shim}}"),
    ("core::fmt::num::<impl core::fmt::Display for u32>::fmt",
        "core::fmt::num::<impl core::fmt::Display for u32>::fmt"),
    ("r::main::{{closure}}::h0123456789abcdef", "r::main::{{closure}}"),
    ("r::main::{closure#0}", "r::main::{closure#0}"),
    ("std::sys::backtrace::__rust_begin_short_backtrace::<fn(), ()>",
        "std::sys::backtrace::__rust_begin_short_backtrace::<fn(), ()>"),
    ("<r::P<'a>>::value", "<r::P<'a>>::value"),
    ("alloc::vec::Vec<u8, alloc::alloc::Global>::push", "alloc::vec::Vec<u8>::push"),
)  # fmt: skip

WHOLE = (
    # C, assembler, what has no name.
    "main", "(below main)", "f.constprop.0", "x.5", "memcpy@@GLIBC_2.14", "fib'2",
    "_dl_start'0x000000000001ab70", "a'b'main", "operator",
    "(12) id", "()", "name+12", " blanks  between ", "# hash # tag", "gr\u00f6\u00dfe", "calls=3 4", "???",
    "f'", "'",
    # Other languages.
    "main.(*T).Method", "type..eq.[2]interface {}", "main.Map[go.shape.int]", "ada__text_io__put_line",
    'pkg."<"',
    "$s4main3fooyyF", "-[NSObject foo:]", "-[A(Category) foo]", "std.array.Appender!(char).put(char)",
    "(anonymous)",
    "Swift.Array.append(__owned A) -> ()", "caml_main.fun_123",
    # Code made while the program runs.
    "LazyCompile:*f file.js:12", "RegExp:a(b)", "JS:~anonymous node:internal/x:1:2", "py::<module>:/x/a.py",
    "py::<lambda>:/a (1).py",
    "Lorg/foo/Bar;::baz(I)V", "<listcomp>", "Interpreter",
    # What is cut off or not understood.
    "a<b", "a>b", "f(int", "f)int(", "f<g(>)", "operator<<int>", "int (*f<int>(int))(double)",
    "f(int) requires C", "[unknown]", "{", "f:", "::",
    "_ZN1A1fEv", "f, g", "<" * 300 + ">" * 300,
)  # fmt: skip


def key(name: str, obj: str = "???") -> FunctionKey:
    return FunctionKey(obj, "a.c", name)


def said(*names: str) -> list[str]:
    """Names that are shown together."""
    keys = [key(name) for name in names]
    return list(map(Spoken(keys).name_of, keys))


class Names(unittest.TestCase):
    def setUp(self) -> None:
        if not library.LIBRARY.exists():
            self.skipTest(f"{library.LIBRARY} is not built")

    def check(self, name: str, expected: str) -> None:
        with self.subTest(name):
            self.assertEqual(said(name), [expected])

    def test_languages(self) -> None:
        for name, expected in CPLUSPLUS + RUST:
            self.check(name, expected)

    def test_whole(self) -> None:
        for name in WHOLE:
            self.check(name, name)

    def test_callers(self) -> None:
        """Each name of a chain is said; levels stay."""
        for name, expected in (
            ("void f<int>(int)'A::g(int) const'main", "f<int>'A::g'main"),
            ("f(int)'2'std::vector<int, std::allocator<int> >::at(int)", "f'2'std::vector<int>::at"),
            ("(anonymous namespace)::f(int)'(below main)", "(anonymous namespace)::f'(below main)"),
            ("r::f::h0123456789abcdef'r::main::h0123456789abcdef", "r::f'r::main"),
            ("f(int)'a<b", "f(int)'a<b"),
        ):  # fmt: skip
            self.check(name, expected)

    def test_told_apart(self) -> None:
        """Overloads have their parameters, instances their arguments, what is in one list only."""
        for names, expected in (
            (("f(int)", "f(long)", "g(int)"), ["f(int)", "f(long)", "g"]),
            (("f(int) const", "f(int)"), ["f(int) const", "f(int)"]),
            (("f(int)", "f"), ["f(int)", "f"]),
            (("f(std::vector<int, std::allocator<int> >)", "f(int)"), ["f(std::vector<int>)", "f(int)"]),
            (("A::{lambda(int)#1}::operator()(int)", "A::{lambda(long)#1}::operator()(long)"),
             ["A::{lambda(int)#1}::operator()(int)", "A::{lambda(long)#1}::operator()(long)"]),
            (("void f<unsigned long long>(A)", "void f<unsigned int, int>(B)"), ["f<...>(A)", "f<...>(B)"]),
            (("void f<unsigned long long>()", "void f<unsigned int, int>()", "void f<char>()"),
             ["void f<unsigned long long>()", "void f<unsigned int, int>()", "f<char>"]),
            (("a::f::h0123456789abcdef", "a::f::h0123456789abcdee"),
                ["a::f::h0123456789abcdef", "a::f::h0123456789abcdee"]),
            (("f(int)", "f(int)"), ["f", "f"]),
            (("_ZN1a1f17h0123456789abcdefE", "_ZN1a1f17h0123456789abcdeeE", "_ZN1a1g17h0123456789abcdefE"),
             ["a::f::h0123456789abcdef", "a::f::h0123456789abcdee", "a::g"]),
        ):  # fmt: skip
            with self.subTest(names):
                self.assertEqual(said(*names), expected)

    def test_symbols_of_rust(self) -> None:
        """A symbol is said as its path, also in a chain; what is none stays."""
        fmt = "_ZN42_$LT$$RF$T$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE"
        for name, expected in (
            (fmt, "<&T as core::fmt::Debug>::fmt"),
            (f"{fmt}'2", "<&T as core::fmt::Debug>::fmt'2"),
            (f"f(int)'{fmt}'main", "f'<&T as core::fmt::Debug>::fmt'main"),
            ("_ZN1r4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE.llvm.12",
                "r::main::{{closure}}.llvm.12"),
        ):  # fmt: skip
            self.check(name, expected)
        for name in (
            "_ZN1a1fE", "_ZN1a1f17h0123456789abcdegE", "_ZN1a1f17h0123456789abcdef", "_ZN", "_ZNE",
            "_ZN99999999999999999999a",
            "_ZN3a17h0123456789abcdefE",
        ):  # fmt: skip
            self.check(name, name)
        self.assertEqual(Spoken([], full=True).name_of(key(fmt)), fmt)

    def test_objects(self) -> None:
        """A function without a name is said with its object; it may have a level and callers."""
        for name, obj, expected in (
            ("0x0000000000014c40", "/lib/libgcc_s.so.1", "libgcc_s.so.1+0x14c40"),
            ("0x08049010'2", "/bin/a b", "a b+0x8049010'2"),
            ("0x0000000000000000", "a/", "a/+0x0"),
            ("0x0000000000001000'main", "/bin/app", "app+0x1000'main"),
            ("0x0000000000014c40", "???", "0x0000000000014c40"),
            ("0xyz", "/bin/app", "0xyz"), ("0x", "/bin/app", "0x"), ("0x12 f", "/bin/app", "0x12 f"),
        ):  # fmt: skip
            one = key(name, obj)
            self.assertEqual(Spoken([one]).name_of(one), expected)
        self.assertEqual(Spoken([one], full=True).name_of(one), one.name)
        self.assertEqual(Spoken([]).label_of(key("f(int)", "/lib/b.so")), "a.c:f [/lib/b.so]")

    def test_mutants(self) -> None:
        """Whatever a name is, what is said is no longer, and names that differ stay apart."""
        chance = random.Random(21)
        pieces = [name for name, _ in CPLUSPLUS + RUST] + list(WHOLE[:-1])
        names = []
        for _ in range(20_000):
            one, other = chance.choices(pieces, k=2)
            cut, behind = chance.randint(0, len(one)), chance.randint(0, len(other))
            names.append(one[:cut] + other[behind:])
        names = sorted(set(names) - {""})
        found = said(*names)
        self.assertEqual(len(set(found)), len(names))
        self.assertGreater(sum(map(len, names)), sum(map(len, found)) + 20_000)
        for name, shown in zip(names, found, strict=True):
            self.assertLessEqual(len(shown), len(name), name)
            self.assertTrue(shown.isprintable(), name)


if __name__ == "__main__":
    unittest.main()
