"""Commands for whoever keeps a house's store: verify, export, import, backup, settings."""
