"""The command line: thin commands over the library. Heavy imports wait until a command needs them."""
