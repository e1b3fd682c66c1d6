"""The running casino without its machinery: orders in, writes out. No clock, no entropy, no waiting in here."""
