"""The HTTP API: commands by POST, live events by server-sent events, described by OpenAPI."""
