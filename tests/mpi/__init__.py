"""Exchanges between real MPI processes, before and after a fix."""
