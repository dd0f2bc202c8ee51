"""`jitlint graph`: the JIT calls of a module and what ties them, as pictures.

One model (`model`), built from the analysis (`build`), and one small renderer for each format.
"""
