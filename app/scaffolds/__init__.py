"""Files of a new lesson or exercise: small, complete, and valid from the first minute."""
