"""Best times of the challenges, under pseudonyms."""
