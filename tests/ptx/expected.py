#!/usr/bin/env python3
"""Writes the instruction tests' data files beside it, a module for each group of instructions.

The expected values come from whole numbers and fractions, never from the simulated GPU and never
from the host's floating point; on a machine with a GPU, `run_ptx --cuda` proves them on the metal.
Run it again after adding a test: python3 tests/ptx/expected.py
"""
import expected_integer
import expected_float
import expected_convert
import expected_memory
import expected_warp
import expected_forms
import expected_signs
