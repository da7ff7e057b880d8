"""Agent and world in, finished search tree out: greedy, beams and FAST are one loop with different parts."""
