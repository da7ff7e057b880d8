"""Decides where an instruction-following agent goes next."""
