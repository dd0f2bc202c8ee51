"""The configuration for Emacs, as the page has it, in Emacs with eglot."""

from __future__ import annotations

from pathlib import Path

from jitlint import fix
from tests.server.editors import CHAIN, OFFERED, configuration, folder_with, run

SCRIPT = r"""
(setq last-nonmenu-event ?a)            ; no menus for a mouse
(defun try-wait (what)
  (with-timeout (180 (error "waited in vain for %S" what))
    (while (not (funcall what)) (accept-process-output nil 0.1))))
(defun try-write (file text) (let ((coding-system-for-write 'utf-8)) (write-region text nil file)))
(find-file "chain.mlir")
(run-hooks 'post-command-hook)
(try-wait #'eglot-managed-p)
(flymake-start)
(try-wait #'flymake-diagnostics)
(let* ((found (car (flymake-diagnostics)))
       (line (line-number-at-pos (flymake-diagnostic-beg found)))
       (before (buffer-string))
       (hover nil))
  (try-write "finding" (format "%d %s" line (flymake-diagnostic-text found)))
  (goto-char (flymake-diagnostic-beg found))
  (eglot-hover-eldoc-function (lambda (text &rest _) (setq hover (substring-no-properties text))))
  (try-wait (lambda () hover))
  (try-write "hover" hover)
  (cl-letf (((symbol-function 'completing-read)
             (lambda (_ choices &rest _)
               (try-write "offered" (mapconcat #'car choices "\n"))
               (caar choices))))
    (eglot-code-actions (point) nil "quickfix" t))
  (try-wait (lambda () (not (equal before (buffer-string)))))
  (try-write "fixed" (buffer-string)))
"""


def test_emacs_shows_findings_and_hovers_and_applies_a_quick_fix(tmp_path: Path) -> None:
    environment = folder_with(tmp_path, init__el=configuration("elisp"), try__el=SCRIPT)
    run(tmp_path, environment, "emacs", "-q", "--batch", "-l", "init.el", "-l", "try.el")
    said = {name: (tmp_path / name).read_text(encoding="utf-8") for name in ("finding", "hover", "offered", "fixed")}
    number, _, message = said["finding"].partition(" ")
    assert number == "11"
    assert message.endswith("these 2 calls can be one call")
    assert "JIT001 fusable-group" in said["hover"]
    assert said["offered"].split("\n")[:2] == OFFERED
    assert said["fixed"] == fix(CHAIN).source.text
