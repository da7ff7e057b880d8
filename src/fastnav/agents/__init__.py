"""Instruction and observation become a choice of where to go. Knows no goal and no shortest path to one."""
