"""Which configuration file is in force for a folder.

Only what a run over files without a JIT call needs is imported here; `config.settings` reads what is in the file.
"""

from __future__ import annotations

import os

from jitlint.config.tables import OWN, SHARED, read_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jitlint.config.settings import Layer, Settings


class Configs:
    """The settings in force for each folder, looked up once.

    `overrides` is what the command line says, None where it says nothing. `file` is in force everywhere instead of
    what the folders hold. If `isolated`, no file is in force anywhere.
    """

    def __init__(self, overrides: Layer | None = None, file: str | None = None, isolated: bool = False) -> None:
        self.overrides = overrides
        self._file = file
        self._isolated = isolated
        self._nearest: dict[str, str | None] = {}
        self._settings: dict[str | None, Settings | None] = {}

    def of(self, folder: str) -> Settings | None:
        """The settings for files in `folder`, an absolute path; None where nothing differs from the defaults.

        Raises ConfigError where the file in force cannot be taken.
        """
        path = self.file_of(folder)
        if path not in self._settings:
            self._settings[path] = self._load(path)
        return self._settings[path]

    def file_of(self, folder: str) -> str | None:
        """The configuration file in force for `folder`, an absolute path."""
        if self._isolated:
            return None
        return self._file if self._file is not None else self.file_for(folder)

    def file_for(self, folder: str) -> str | None:
        """The configuration file nearest to `folder`, an absolute path, in it or above it."""
        passed = []
        found = None
        while folder not in self._nearest:
            passed.append(folder)
            found = _in_folder(folder)
            above = os.path.dirname(folder)
            if found is not None or above == folder:
                break
            folder = above
        else:
            found = self._nearest[folder]
        self._nearest.update(dict.fromkeys(passed, found))
        return found

    def _load(self, path: str | None) -> Settings | None:
        if path is None and self.overrides is None:
            return None
        from jitlint.config.settings import file_layer, settle

        return settle(file_layer(path) if path is not None else None, self.overrides)


def _in_folder(folder: str) -> str | None:
    # What has the name counts, whatever it is: reading it says what is wrong, where to look on would hide it.
    own = os.path.join(folder, OWN)
    if os.path.lexists(own):
        return own
    shared = os.path.join(folder, SHARED)
    return shared if os.path.lexists(shared) and read_table(shared) is not None else None
