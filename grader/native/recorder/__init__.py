"""The call recorder: hand-written runtime in C++, wrappers generated from the API table."""
