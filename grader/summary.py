"""A verdict as plain text, for people at a terminal. The web program has its own sentences, in two languages."""

from grader.contract.codes import Code
from grader.contract.verdict import CaseResult, Comparison, Verdict


def describe(verdict: Verdict) -> str:
    lines = [_headline(verdict)]
    lines += [_diagnostic(d.line, d.column, d.severity, d.message) for d in verdict.diagnostics]
    for case in verdict.cases:
        lines += _case(case)
    lines += [f"  rule {f.rule} ({f.severity}), line {f.line}: {f.data}" for f in verdict.findings]
    if verdict.data:
        lines.append("  " + ", ".join(f"{key}: {value}" for key, value in verdict.data.items() if key != "traceback"))
    if verdict.stderr:
        lines.append("  standard error:\n" + verdict.stderr.rstrip()[:2000])
    seconds = ", ".join(f"{name} {value:.3f} s" for name, value in verdict.timings.items())
    lines.append(f"{len(verdict.calls)} calls recorded; {seconds}; seed {verdict.seed}")
    return "\n".join(lines)


def _headline(verdict: Verdict) -> str:
    where = f"{verdict.backend.device}, cuDNN {verdict.backend.cudnn_version}" if verdict.backend else "no backend"
    passed = f"{verdict.passed} of {verdict.total} cases passed" if verdict.total else "no case was run"
    return f"{verdict.code}: {passed} ({where})"


def _diagnostic(line: int, column: int, severity: str, message: str) -> str:
    return f"  {line}:{column}: {severity}: {message}"


def _case(case: CaseResult) -> list[str]:
    mark = "ok" if case.code is Code.ACCEPTED else str(case.code)
    hidden = "" if case.shown else " (hidden)"
    lines = [f"  {case.name}{hidden}: {mark}, {case.seconds:.3f} s"]
    lines += [_output(output) for output in case.outputs if output.bad or output.problem]
    if traceback := case.data.get("traceback"):
        lines.append(str(traceback).rstrip())
    return lines


def _output(output: Comparison) -> str:
    if output.problem:
        return f"    {output.name}: {output.problem} {output.pattern_data}"
    hint = f", looks {output.pattern} {output.pattern_data}" if output.pattern else ""
    return (
        f"    {output.name}: {output.bad} of {output.count} elements beyond "
        f"{output.rtol:g}·|expected| + {output.atol:g}; largest difference {output.max_abs_err:g} "
        f"at {output.worst_index}{hint}"
    )
