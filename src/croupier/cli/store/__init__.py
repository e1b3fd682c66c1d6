"""Commands on the store of a house: verify, export, import, back up."""
