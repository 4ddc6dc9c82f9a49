"""Runs the whatif command. Nothing passes through a shell."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from .manifest import Manifest, read_manifest


class WhatifError(RuntimeError):
    """The command did not end as it should.

    exit_code: as the command documents it (3: the study is invalid, 9: a gate failed, ...).
    document: what --json printed, or None.
    """

    def __init__(self, message, exit_code, document):
        super().__init__(message)
        self.exit_code = exit_code
        self.document = document


def run(study, *options, accept=(0,), whatif=None) -> Manifest:
    """Runs a study and reads its manifest.

    study: path of the study file.
    options: further options of `whatif run`, such as "--rows", "200".
    accept: exit codes that are no error; 9 is a gate that failed, 8 fewer rows than the policy accepts.
    whatif: the command, as a path or a list; by default WHATIF_COMMAND, `whatif` on the PATH, or `npx whatif`.

    Raises WhatifError for another exit code, and FileNotFoundError where there is no command.
    """
    document = _json(["run", os.fspath(study), "--json", *map(str, options)], accept, whatif)
    path = (document.get("data") or {}).get("manifest_path")
    if not isinstance(path, str):
        raise WhatifError("the run wrote no manifest", document.get("exit_code"), document)
    return read_manifest(path)


def plan(study, *options, whatif=None) -> dict:
    """The plan of a study as `whatif plan --json` prints it. Nothing is generated or billed."""
    return _json(["plan", os.fspath(study), "--json", *map(str, options)], (0,), whatif)


def _json(arguments, accept, whatif) -> dict:
    ended = subprocess.run([*_command(whatif), *arguments], stdout=subprocess.PIPE, text=True, encoding="utf-8")
    try:
        document = json.loads(ended.stdout)
    except json.JSONDecodeError:
        document = None
    if ended.returncode not in accept or document is None:
        raise WhatifError(_fault(document, ended.returncode), ended.returncode, document)
    return document


def _fault(document, exit_code) -> str:
    document = document or {}
    data = document.get("data") or {}
    found = [one.get("summary") or one.get("message") for one in document.get("diagnostics") or []]
    said = " ".join(one for one in [data.get("message"), data.get("hint"), *found] if isinstance(one, str))
    return f"whatif ended with exit code {exit_code}" + (f": {said}" if said else "")


def _command(whatif) -> list:
    if whatif is not None:
        return [os.fspath(whatif)] if isinstance(whatif, (str, Path)) else list(whatif)
    if os.environ.get("WHATIF_COMMAND"):
        return [os.environ["WHATIF_COMMAND"]]
    if shutil.which("whatif"):
        return ["whatif"]
    if shutil.which("npx"):
        return ["npx", "--no-install", "whatif"]
    raise FileNotFoundError("there is no whatif command: install the npm package, or name it by whatif=")
