"""Language models as authors of bots: prompts, answers, rounds, benchmarks."""
