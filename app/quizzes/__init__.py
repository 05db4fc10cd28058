"""Quizzes: checking answers, with feedback for each."""
