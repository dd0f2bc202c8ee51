"""Lossless text: tokens, spans, cutting text into operations, and the grammars. Knows no rule."""
