"""Where an isolated interpreter begins in the sandbox: it is told where our packages lie, then runs the harness."""

import sys


def main() -> None:
    sys.path[:0] = ["/fp/packages", "/fp/python", "/fp/site"]
    from grader.inside import python_runner

    python_runner.main()


if __name__ == "__main__":
    main()
