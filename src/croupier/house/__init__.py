"""The house: turns orders into writes. Pure code: it reads no clock, draws no entropy and does no I/O."""
