"""Exists because bots may import it: the platform runs the bot, and there is no server to connect to."""


class Runner:
    """Stands for the original network client; cannot be constructed."""

    def __init__(self, *_args: object, **_kwargs: object) -> None:
        raise RuntimeError("the platform runs the bot; Runner has nothing to connect to")
