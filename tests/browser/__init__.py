"""Tests of the pages in a real browser, at the sizes and in the colours that people see them in."""
