"""Routes become numbers. Imports no agent, no search and no torch: anyone's result file can be scored."""
