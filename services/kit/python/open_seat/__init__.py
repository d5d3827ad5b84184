"""A seat host without a sandbox, for systems that offer none. Its protocols are those of husky_seat (services/runner/seat/README.md)."""
