"""The clinic and the challenges: lists of exercises of a kind of their own."""
