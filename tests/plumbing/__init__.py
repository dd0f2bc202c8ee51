"""Operations between calls that only move bytes: modules with them, and what a fix makes of these."""
