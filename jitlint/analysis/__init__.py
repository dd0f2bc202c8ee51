"""From the ir to verdicts: components, order, storage, wrappers. Pure functions; a verdict has reasons and places."""
