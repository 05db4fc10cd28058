"""Verdict codes: what can become of a submission, and of one case of it.

The grader speaks in these codes with data; only the web program turns them into sentences.
"""

from enum import StrEnum


class Code(StrEnum):
    """Outcome of a case or of a whole submission. Only `GRADER_FAULT` is our fault, never the learner's."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"  # outputs beyond the tolerance
    BAD_OUTPUT = "bad_output"  # an output is missing, or has another shape or type
    COMPILE_ERROR = "compile_error"  # C++ does not compile, or Python does not parse
    RUNTIME_ERROR = "runtime_error"  # crash, exception, non-zero exit
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"  # printed more than allowed
    API_MISUSE = "api_misuse"  # outputs right, but a required rule on the cuDNN calls is broken
    FORBIDDEN = "forbidden"  # the source uses something that the exercise forbids
    CANCELLED = "cancelled"
    GRADER_FAULT = "grader_fault"  # retried by the app, never counted
    NOT_RUN = "not_run"  # only for a case: an earlier one ended the process


FINAL = frozenset(Code) - {Code.NOT_RUN}
"""Codes that a verdict can carry."""
