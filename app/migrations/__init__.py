"""Migrations, named date first. `upgrade` brings a database to the newest; `serve` does so by itself."""
