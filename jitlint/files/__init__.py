"""Which files a run is about, reading them, and replacing them atomically."""
