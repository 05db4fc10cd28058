"""A rendered text is a list of blocks: HTML, and between it what a template must fill in for each reader."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from markupsafe import Markup

from app.content.markdown.headings import Heading
from grader.contract.problems import Problem


@dataclass(frozen=True, slots=True)
class HtmlBlock:
    kind: ClassVar[Literal["html"]] = "html"
    html: Markup


@dataclass(frozen=True, slots=True)
class QuizBlock:
    kind: ClassVar[Literal["quiz"]] = "quiz"
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExerciseBlock:
    kind: ClassVar[Literal["exercise"]] = "exercise"
    slug: str


@dataclass(frozen=True, slots=True)
class VisualiserBlock:
    kind: ClassVar[Literal["visualiser"]] = "visualiser"
    name: str
    parameters: dict[str, str]
    caption: Markup


@dataclass(frozen=True, slots=True)
class RunBlock:
    kind: ClassVar[Literal["run"]] = "run"
    language: str
    source: str
    html: Markup


Block = HtmlBlock | QuizBlock | ExerciseBlock | VisualiserBlock | RunBlock


@dataclass(slots=True)
class Rendered:
    blocks: list[Block] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    """What keeps the text from being shown."""
    warnings: list[Problem] = field(default_factory=list)
    """What an author must mend too, though the text can be shown without it."""
    math: bool = False

    @property
    def html(self) -> Markup:
        """The HTML blocks alone, for texts that have no others (prompts, hints)."""
        return Markup("").join(block.html for block in self.blocks if isinstance(block, HtmlBlock))

    @property
    def has_run(self) -> bool:
        return any(isinstance(block, RunBlock) for block in self.blocks)
