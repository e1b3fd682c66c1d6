"""A table to practise at: the lines of the pipe, played again from the first one at each request, and never stored."""
