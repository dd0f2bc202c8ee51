"""From a legal group to a plan, and from a plan to edits of the text."""
