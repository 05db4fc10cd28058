"""Submissions: from a row in the queue to one recorded verdict."""
