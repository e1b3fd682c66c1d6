"""Tests of the pages in a real browser, in the sizes and colour schemes that people use."""
