"""MPI requests: who makes them, where they go, and whether anybody waits for them."""
