"""What a wrapper is and does: its interface, what it reaches, what it writes, whether its body may be cloned."""
