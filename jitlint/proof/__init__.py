"""Whether two modules compute the same, decided by executing both on terms; it knows nothing of how one was made."""
