"""A seat host without a sandbox, for systems that have no means for one. It speaks the protocols of husky_seat (services/runner/seat/README.md)."""
