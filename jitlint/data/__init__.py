"""Tables that ship with jitlint."""
