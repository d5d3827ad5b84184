"""How a seat tells the host its state: exit statuses, the first bytes of its output."""

EXIT_LOAD, EXIT_OUTPUT, EXIT_CLOSED, EXIT_HOST = 91, 92, 93, 94
"""Exit statuses: the bot could not be loaded, printed too much, the dealer closed the connection, the sandbox could not be set up."""

CONFINED = b"confined\n"
"""First bytes of every seat's output, written before any of the bot's code runs; the host removes them."""
