"""Rust's symbols of the newer kind, against what binutils 2.40 writes for them without hashes and types of
constants."""

from __future__ import annotations

import unittest

import cg2test  # noqa: F401: finds cg2tools
from cg2tools.data.rustsymbols import rust_name

KNOWN = (
    ("_RINvCshhNdl82Kjmm_1g5applyNtB2_2SqKj7_EB2_", "g::apply::<g::Sq, 7>"),
    ("_RINvCshhNdl82Kjmm_1g4withNCNvB2_4main0EB2_", "g::with::<g::main::{closure#0}>"),
    ("_RNvMCshhNdl82Kjmm_1gINtB2_4TreemE7add_allB2_", "<g::Tree<u32>>::add_all"),
    ("_RNvXs_CshhNdl82Kjmm_1gNtB4_2SqNtB4_5Shape4area", "<g::Sq as g::Shape>::area"),
    (
        "_RNCNCNCNvNtCsjrHSEGnQ3l9_3std2rt19lang_start_internal00s_0B9_",
        "std::rt::lang_start_internal::{closure#0}::{closure#0}::{closure#1}",
    ),
    (
        "_RINvNtC4core3ptr13drop_in_placeDG_INtNtNtB4_3ops8function2FnTRL0_hEEp6OutputbEL_EC1a",
        "core::ptr::drop_in_place::<dyn for<'a> core::ops::function::Fn<(&'a u8,), Output = bool>>",
    ),
    ("_RINvC1a1fFUKCPmQhEuE", 'a::f::<unsafe extern "C" fn(*const u32, &mut u8)>'),
    ("_RINvC1a1fAhj4_SxKb1_Kan5_E", "a::f::<[u8; 4], [i64], true, -5>"),
    ("_RNSC1a4shim4dropEC1b", None),
    ("_RNvC1au8gdel_5qa", "a::gödel"),
)


class RustSymbols(unittest.TestCase):
    def test_known(self) -> None:
        for symbol, name in KNOWN:
            with self.subTest(symbol):
                self.assertEqual(rust_name(symbol), name or symbol)

    def test_broken(self) -> None:
        """Each cut, and what refers back to itself, is no symbol of this kind, and takes no time."""
        for symbol, _ in KNOWN:
            for end in range(2, len(symbol)):
                self.assertTrue(rust_name(symbol[:end]))
        doubling = "_RINvC1a1f" + "TmmE" + "".join("TB8_B8_E" for _ in range(40)) + "E"
        for symbol in (
            "_R",
            "_RB_",
            "_RNvB_1a",
            "_RIB_E",
            "_RIC1aB3_E",
            doubling,
            "_R" + 500 * "NvNv",
        ):
            with self.subTest(symbol):
                self.assertTrue(rust_name(symbol))


if __name__ == "__main__":
    unittest.main()
