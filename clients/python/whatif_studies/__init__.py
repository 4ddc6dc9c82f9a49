"""What-if studies from Python: runs the whatif command, and reads its results as pandas tables."""

from .command import WhatifError, plan, run
from .manifest import Manifest, read_manifest
from .pooling import Pooled, corrected_error, pool

__all__ = ["Manifest", "Pooled", "WhatifError", "corrected_error", "plan", "pool", "read_manifest", "run"]
