"""The tests of jitlint; a package, so that the generator and the reference serve the tests and the benchmarks."""
