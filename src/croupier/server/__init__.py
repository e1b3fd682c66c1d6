"""The house at work: people come in over HTTP, the clock runs, events go out as they are stored."""
