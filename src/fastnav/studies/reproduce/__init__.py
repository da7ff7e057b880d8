"""The paper's tables and figures, each made from trained agents by one command."""
