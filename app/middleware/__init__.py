"""What every request passes through before a route sees it."""
