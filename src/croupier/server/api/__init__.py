"""The house over HTTP: commands by POST, what happened by server-sent events, documented by OpenAPI."""
