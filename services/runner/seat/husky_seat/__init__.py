"""The seat host: runs participants' Python bots, each in a sandboxed process of its own. Linux only."""
