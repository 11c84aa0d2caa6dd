"""`make graders`: what independent graders say of the server; exit code 1 when one falls below its mark."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.product import DOCUMENTS, PROGRAM, REPOSITORY, Setting

_INSTALLED = REPOSITORY / "build" / "graders"
_LEAST_POINTS = 172
"""Of mcpscore's 192 for a server with tools, resources and prompts: what must stay when optional wishes are refused."""
_LEAST_GRADE = "A"
_SEED = "20260728"
"""The same inputs in every run, so that a failure can be looked at again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a grader says: in one line, whether that will do, and what it found."""

    summary: str
    enough: bool
    findings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Where graders run, and the server they start."""

    setting: Setting

    @property
    def server(self) -> list[str]:
        """The command; graders start a server with hardly any of their own environment."""
        environment = self.setting.environment()
        told = [name for name in (*self.setting.variables(), "PYTHONPATH") if name in environment]
        return ["env", *(f"{name}={environment[name]}" for name in told), *PROGRAM]

    def report(self, program: str, *arguments: str) -> dict[str, Any]:
        """The grader's report. Raises RuntimeError when it gives none."""
        done = subprocess.run(
            [_INSTALLED / "bin" / program, *arguments],
            cwd=self.setting.kept,
            env=self.setting.environment(),
            capture_output=True,
            encoding="utf-8",
            timeout=600,
            check=False,
        )
        try:
            report: dict[str, Any] = json.loads(done.stdout)
        except ValueError:
            raise RuntimeError(f"{program} ended with {done.returncode}: {done.stderr or done.stdout}") from None
        return report | {"exit code": done.returncode}


def score(bench: Bench) -> Verdict:
    """Points for what the protocol asks and recommends, in both revisions; read-only tools are called, too."""
    report = bench.report("mcpscore", "--json", "--no-config", "--smoke", "--stdio", *bench.server)
    failed = [result for result in report["results"] if not result["passed"]]
    return Verdict(
        summary=f"mcpscore: {report['score']}/{report['max_score']}, at least {_LEAST_POINTS}",
        enough=report["score"] >= _LEAST_POINTS and report["exit code"] == 0,
        findings=tuple(f"{result['rule_id']}: {result['message']}" for result in failed),
    )


def quality(bench: Bench) -> Verdict:
    """A grade for contract and cost."""
    report = bench.report("mcp-quality", "run", "--json", " ".join(bench.server))
    overall = report["overall"]
    return Verdict(
        summary=f"mcp-quality: {overall['grade']} ({overall['score']}), at least {_LEAST_GRADE}",
        enough=overall["grade"] == _LEAST_GRADE,
        findings=tuple(_quality_findings(report)),
    )


def _quality_findings(report: dict[str, Any]) -> Iterator[str]:
    for family in report["families"].values():
        for found in family["findings"]:
            yield f"{found['code']} {found.get('tool', '')}: {found['message']}"


def fuzz(bench: Bench) -> Verdict:
    """Odd arguments to every tool: no crash, no silence, no broken answer."""
    report = bench.report("mcp-assert", "fuzz", "--json", "--seed", _SEED, "--server", " ".join(bench.server))
    summary = report["summary"]
    return Verdict(
        summary=f"mcp-assert fuzz: {summary['total_passed']} of {summary['total_runs']} calls answered in "
        f"{summary['tools_tested']} tools, {summary['crashes']} crashes, {summary['timeouts']} timeouts",
        enough=summary["total_passed"] == summary["total_runs"] > 0,
        findings=tuple(json.dumps(tool) for tool in report["tools"] if tool["passed"] != tool["runs"]),
    )


GRADERS: tuple[Callable[[Bench], Verdict], ...] = (score, quality, fuzz)


def main() -> int:
    """Ask every grader, print what each says, and judge at the end."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(setting=Setting(documents=DOCUMENTS, kept=Path(folder)))
        bench.setting.sync()
        verdicts = [grader(bench) for grader in GRADERS]
    for verdict in verdicts:
        print(verdict.summary, "" if verdict.enough else "<- below the mark")
        for finding in verdict.findings:
            print(f"  {finding}")
    return 0 if all(verdict.enough for verdict in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
