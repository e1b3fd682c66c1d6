"""The server: runs a house, serves it over HTTP, and sends events to listeners as they are stored."""
