"""Where agents and goals meet: baselines that know the way, runs, benchmarks, and the quickstart."""
