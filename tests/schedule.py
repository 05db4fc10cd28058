"""Which tests stay together where several processes run them (`pytest -n 2`).

A file goes to one process, so that what its tests share is made once. All of the browser tests do, because they share a
server and Chromium. Tests of files that grade many programs, where one takes seconds and nothing is shared but what
every process has, go wherever there is time.
"""

from xdist.scheduler import LoadScopeScheduling

TOGETHER = ("tests/browser/",)
APART = (
    "tests/golden/test_cases.py",
    "tests/golden/test_course.py",
    "tests/golden/test_hostile.py",
    "tests/golden/test_snippets.py",
    "tests/native/test_ops_h200.py",
    "tests/native/test_recorder_sanitized.py",
)


def scope(test: str) -> str:
    """What a test, named as pytest names it, stays together with."""
    file = test.partition("::")[0]
    if file in APART:
        return test
    return next((folder for folder in TOGETHER if file.startswith(folder)), file)


class Schedule(LoadScopeScheduling):
    """In the order of collection, so that the longest piece, the browser tests, is begun first."""

    def _split_scope(self, nodeid: str) -> str:
        return scope(nodeid)
