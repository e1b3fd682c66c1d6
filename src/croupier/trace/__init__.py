"""Traceability: every clause of a book with its class, the code that acts on it and the tests that prove it."""

from croupier.trace.tracing import TraceRow, gaps, trace_book

__all__ = ["TraceRow", "gaps", "trace_book"]
