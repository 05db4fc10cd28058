"""Renders one Markdown file of ours: to blocks, with every problem in it."""

from collections.abc import MutableMapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape
from mdit_py_plugins.attrs import attrs_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from app.breaks import breakable
from app.content.markdown import code, directives, lint, maths, records, structure
from app.content.markdown.blocks import (
    Block,
    ExerciseBlock,
    HtmlBlock,
    QuizBlock,
    Rendered,
    RunBlock,
    VisualiserBlock,
)
from app.content.markdown.directives import Directive
from app.content.markdown.emphasis import hangul_emphasis_plugin
from app.content.markdown.headings import headings_plugin
from app.content.markdown.links import Links, similar
from app.content.markdown.roles import roles_plugin
from app.content.markdown.sanitise import clean
from grader.contract.problems import Problem

Env = MutableMapping[str, Any]


@cache
def parser() -> MarkdownIt:
    md = MarkdownIt("js-default", {"html": False, "typographer": False, "linkify": False})
    md.use(hangul_emphasis_plugin).use(front_matter_plugin).use(colon_fence_plugin)
    md.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False)
    md.use(footnote_plugin).use(tasklists_plugin).use(deflist_plugin)
    md.use(attrs_plugin, allowed=["id", "class"]).use(roles_plugin).use(headings_plugin)
    md.add_render_rule("math_inline", _math)
    md.add_render_rule("math_block", _math)
    md.add_render_rule("fence", _fence)
    md.add_render_rule("code_inline", _code)
    md.add_render_rule("role", _role)
    md.add_render_rule("colon_fence", _colon_fence)
    md.add_render_rule("table_open", lambda *_: '<div class="table" tabindex="0"><table>\n')
    md.add_render_rule("table_close", lambda *_: "</table></div>\n")
    md.add_render_rule("th_open", _header_cell)
    return md


def render(text: str, file: Path, links: Links, first_line: int = 1) -> Rendered:
    """A whole text. Problems carry `file` and lines counted from `first_line`."""
    return _Text(file, links).whole(text, first_line)


def render_inline(text: str, file: Path, links: Links, line: int = 0) -> Rendered:
    """A phrase (title, choice, definition) without a paragraph around it; several paragraphs are rendered as blocks."""
    if "\n\n" in text.strip() or "```" in text:
        return render(text, file, links, line)
    document = _Text(file, links)
    env = document.env(line)
    tokens = parser().parseInline(text.strip(), env)
    document.result.math = lint.check(tokens, line, links, document.report, document.warn)
    document.result.blocks = [HtmlBlock(clean(parser().renderer.render(tokens, parser().options, env)))]
    return document.result


class _Text:
    """One text on its way; render rules find it in `env["text"]`."""

    def __init__(self, file: Path, links: Links) -> None:
        self.file = file
        self.links = links
        self.result = Rendered()

    def env(self, first_line: int) -> Env:
        return {"text": self, "line": first_line, "headings": self.result.headings, "docId": str(first_line)}

    def report(self, line: int, message: str, mend: str) -> None:
        self.result.problems.append(Problem(self.file, line, message, mend))

    def warn(self, line: int, message: str, mend: str) -> None:
        self.result.warnings.append(Problem(self.file, line, message, mend))

    def parse(self, text: str, env: Env) -> list[Token]:
        tokens = parser().parse(text, env)
        if lint.check(tokens, env["line"], self.links, self.report, self.warn):
            self.result.math = True
        structure.check(tokens, text, env["line"], env, self.warn)
        return tokens

    def whole(self, text: str, first_line: int) -> Rendered:
        env = self.env(first_line)
        tokens = self.parse(text, env)
        start = 0
        for index, token in enumerate(tokens):
            directive = directives.parse(token, first_line) if token.type == "colon_fence" else None
            if directive is None or directive.name not in directives.FILLED or token.level:
                continue
            self._html(tokens[start:index], env)
            start = index + 1
            self._options(directive)
            if block := self.filled(directive):
                self.result.blocks.append(block)
        self._html(tokens[start:], env)
        self._check_anchors(tokens, first_line)
        return self.result

    def _options(self, directive: Directive) -> None:
        for complaint in directives.complaints(directive):
            self.warn(*complaint)

    def _html(self, tokens: Sequence[Token], env: Env) -> None:
        html = clean(parser().renderer.render(tokens, parser().options, env))
        if html.strip():
            self.result.blocks.append(HtmlBlock(html))

    def _check_anchors(self, tokens: list[Token], first_line: int) -> None:
        ids = [heading.id for heading in self.result.headings]
        for token, line in lint.walk(tokens, first_line):
            href = str(token.attrGet("href") or "") if token.type == "link_open" else ""
            anchor = unquote(href[1:])
            if href.startswith("#") and anchor not in ids and not href.startswith("#fn"):
                mend = f"use one of: {', '.join('#' + name for name in ids)}" if ids else "this text has no headings"
                self.report(line, f"there is no heading '#{anchor}' in this text", mend)

    def filled(self, directive: Directive) -> Block | None:
        match directive.name:
            case "exercise":
                return self._exercise(directive)
            case "quiz":
                return self._quiz(directive)
            case "visualiser":
                return self._visualiser(directive)
            case "record":
                return self._record(directive)
            case _:
                return self._run(directive)

    def _exercise(self, directive: Directive) -> Block | None:
        if self.links.find("exercise", directive.argument) is None:
            mend = similar(directive.argument, self.links.targets.get("exercise", {}))
            self.warn(directive.line, f"there is no exercise {directive.argument!r}", mend)
            return None
        return ExerciseBlock(directive.argument)

    def _visualiser(self, directive: Directive) -> Block | None:
        if directive.argument not in directives.VISUALISERS:
            mend = f"use one of: {', '.join(directives.VISUALISERS)}"
            self.report(directive.line, f"there is no visualiser {directive.argument!r}", mend)
            return None
        caption = self.fragment(directive.body, directive.body_line)
        return VisualiserBlock(directive.argument, directive.options, caption)

    def _record(self, directive: Directive) -> Block | None:
        folder = self.links.folder.parent / "records" if self.links.folder else Path()
        try:
            figure = records.load(folder, directive.argument, directive.options)
        except records.RecordError as error:
            self.report(directive.line, str(error), error.mend)
            return None
        caption = self.fragment(directive.body, directive.body_line)
        description = caption.striptags() or directive.argument
        return HtmlBlock(records.html(figure, caption, description))

    def _quiz(self, directive: Directive) -> Block | None:
        names = tuple(directive.argument.replace(",", " ").split())
        if names == ("all",):
            return QuizBlock(("all",))
        if self.links.questions is None:  # quiz.yaml is broken, which has been said
            return None
        for name in names:
            if name not in self.links.questions:
                mend = similar(name, dict.fromkeys(self.links.questions))
                self.report(directive.line, f"quiz.yaml has no question {name!r}", mend)
        if not names:
            self.report(directive.line, "a quiz without questions", "name question ids, or `all`")
        known = tuple(name for name in names if name in self.links.questions)
        return QuizBlock(known) if known else None

    def _run(self, directive: Directive) -> Block | None:
        if directive.argument not in directives.RUN_LANGUAGES:
            self.report(directive.line, f"cannot run {directive.argument!r}", "write `:::{run} cpp` or `python`")
            return None
        source = directive.body.strip("\n") + "\n"
        if not source.strip():
            self.report(directive.line, "a program without a line", "write the program")
        elif directive.argument == "python" and (error := code.python_error(source)):
            self.report(directive.body_line + error[0] - 1, f"not valid Python: {error[1]}", "mend the program")
        return RunBlock(directive.argument, source, code.to_html(source, directive.argument))

    def fragment(self, text: str, line: int) -> Markup:
        env = self.env(line)
        return clean(parser().renderer.render(self.parse(text, env), parser().options, env))

    def nested(self, token: Token, first_line: int) -> str:
        directive = directives.parse(token, first_line)
        line = first_line + (token.map[0] if token.map else 0)
        if directive is None or directive.name not in directives.NAMES:
            self._unknown(token.info.strip(), line)
            return ""
        self._options(directive)
        if directive.name in directives.FILLED:
            self.report(line, f"{directive.name!r} inside another directive or list", "move it to the left margin")
            return ""
        body = self.fragment(directive.body, directive.body_line)
        if directive.name == "figure":
            return self._figure(directive, body)
        heading = render_inline(directive.argument, self.file, self.links, line)
        self.result.problems += heading.problems
        self.result.warnings += heading.warnings
        title = heading.html
        if directive.name == "hint":
            return f'<details class="hint"><summary>{title}</summary>\n{body}</details>\n'
        above = f'<p class="title">{title}</p>\n' if title else ""
        return f'<aside class="{directive.name}">{above}{body}</aside>\n'

    def _unknown(self, info: str, line: int) -> None:
        if not info:
            mend = "take it away, or close a directive inside another one first: the outer one has four colons"
            self.report(line, "`:::` closes nothing here", mend)
            return
        name = info.split()[0].strip("{}").lower()
        known = ", ".join(directives.NAMES)
        mend = f"write `:::{{{name}}}`" if name in directives.NAMES else f"use one of: {known}"
        self.report(line, f"unknown directive {info!r}", mend)

    def _figure(self, directive: Directive, caption: Markup) -> str:
        url = self.links.figure(directive.argument)
        alt = directive.options.get("alt", "")
        if url is None:
            self.report(directive.line, f"there is no figure {directive.argument!r}", self.links.missing_figure())
            return ""
        if not alt:
            self.report(directive.line, f"{directive.argument!r} has no `:alt:`", "say what the figure shows")
        below = f"<figcaption>{caption}</figcaption>" if caption.strip() else ""
        return f'<figure><img src="{escape(url)}" alt="{escape(alt)}" loading="lazy">{below}</figure>\n'


def _math(_self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Env) -> str:
    token = tokens[index]
    if token.type == "math_inline":
        return maths.to_mathml(token.content.strip(), False)
    return f'<div class="math-block">{maths.to_mathml(token.content.strip(), True)}</div>\n'


def _header_cell(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Env) -> str:
    """A header cell without text heads nothing: it is a plain cell, or screen readers announce an empty header."""
    if not tokens[index + 1].content:
        tokens[index].tag = tokens[index + 2].tag = "td"
    rendered: str = self.renderToken(tokens, index, options, env)
    return rendered


def _fence(_self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Env) -> str:
    return code.to_html(tokens[index].content, tokens[index].info.strip().split(" ")[0])


def _code(self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Env) -> str:
    attributes = self.renderAttrs(tokens[index])
    return f"<code{attributes}>{breakable(tokens[index].content)}</code>"


def _role(_self: Any, tokens: Sequence[Token], index: int, _options: Any, env: Env) -> str:
    meta = tokens[index].meta
    text: _Text = env["text"]
    target = text.links.find(meta["role"], meta["target"])
    name = meta["text"] or (target.name if target else meta["target"])
    shown = breakable(name) if meta["role"] == "api" else escape(name)
    inner = f"<code>{shown}</code>" if meta["role"] == "api" else shown
    if target is None:
        return str(inner)
    title = f' title="{escape(target.hint)}"' if target.hint else ""
    return f'<a class="{meta["role"]}" href="{escape(target.url)}"{title}>{inner}</a>'


def _colon_fence(_self: Any, tokens: Sequence[Token], index: int, _options: Any, env: Env) -> str:
    text: _Text = env["text"]
    return text.nested(tokens[index], env["line"])
