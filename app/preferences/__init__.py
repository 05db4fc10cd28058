"""Theme and language, kept in cookies."""
