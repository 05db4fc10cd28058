"""What the program must print: 7 times 2, and that times 3."""


def expected_stdout(parameters):
    return "14\n42\n"
