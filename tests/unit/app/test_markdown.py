"""Markdown of lessons: emphasis beside Hangul, directives, roles, links, mathematics, headings, sanitising."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from app.content.markdown import maths
from app.content.markdown.blocks import ExerciseBlock, HtmlBlock, QuizBlock, Rendered, RunBlock, VisualiserBlock
from app.content.markdown.directives import VISUALISERS
from app.content.markdown.emphasis import hangul_emphasis_plugin
from app.content.markdown.headings import slug, tree
from app.content.markdown.links import Links, Target
from app.content.markdown.render import render, render_inline
from app.content.markdown.sanitise import clean
from app.settings import ROOT

FILE = Path("lessons/010-test/ko.md")
LINKS = Links(
    "ko",
    {
        "term": {"workspace": Target("/ko/glossary#workspace", "작업 공간", '임시 "메모리"')},
        "api": {"cudnnCreate": Target("/ko/reference/cudnnCreate", "cudnnCreate", "핸들을 만든다.")},
        "lesson": {"handles": Target("/ko/lessons/handles", "핸들")},
        "exercise": {"copy": Target("/ko/exercises/copy", "복사")},
    },
    questions=frozenset({"one", "two"}),
)


def problems(text: str, links: Links = LINKS) -> list[tuple[int, str]]:
    return [(p.line, p.message) for p in render(text, FILE, links).problems]


def html(text: str, links: Links = LINKS) -> str:
    rendered = render(text, FILE, links)
    assert rendered.problems == []
    return str(rendered.html)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**합성곱(convolution)**은", "<strong>합성곱(convolution)</strong>은"),
        ("**cuDNN(9.19)**에서는 `y`", "<strong>cuDNN(9.19)</strong>에서는 <code>y</code>"),
        ('**"텐서"**를 쓴다', "<strong>&quot;텐서&quot;</strong>를 쓴다"),
        ("*순방향(forward)*을", "<em>순방향(forward)</em>을"),
        ("값은**(괄호)**입니다", "값은<strong>(괄호)</strong>입니다"),
        ("**GPU.** 핸들은", "<strong>GPU.</strong> 핸들은"),
        (
            "**`alpha`**와 **`beta`**의 값",
            "<strong><code>alpha</code></strong>와 <strong><code>beta</code></strong>의 값",
        ),
        ("2*3 값*(b)*", "2*3 값*(b)*"),
        ("N*C*H*W가 아니라 2*3*4", "N<em>C</em>H*W가 아니라 2*3*4"),
        ("const float *x, float *y", "const float *x, float *y"),
        ("a**b**c", "a<strong>b</strong>c"),
        ("** 아님 **은", "** 아님 **은"),
    ],
)
def test_emphasis_beside_hangul(text: str, expected: str) -> None:
    assert MarkdownIt("js-default").use(hangul_emphasis_plugin).renderInline(text) == expected


@pytest.mark.parametrize(
    "text", ["**bold** text", "a *b* c", "**a(b)** c", "x\\*y", "***both***", "**a**b", "_u_ and __u__"]
)
def test_emphasis_elsewhere_is_commonmark(text: str) -> None:
    assert MarkdownIt("js-default").use(hangul_emphasis_plugin).renderInline(text) == MarkdownIt().renderInline(text)


def test_roles_link_with_name_and_title() -> None:
    out = html(":term[workspace]이 필요하고 :term[그 공간 <workspace>]도, :api[cudnnCreate]를 쓴다.")
    assert (
        '<a class="term" href="/ko/glossary#workspace" title="임시 &quot;메모리&quot;" rel="noopener">작업 공간</a>이'
        in out
    )
    assert ">그 공간</a>도" in out
    assert '<a class="api" href="/ko/reference/cudnnCreate"' in out
    assert "<code>cudnnCreate</code></a>를" in out


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("하나\n\n둘 :term[nope]", 3, "'nope' is not in lessons/glossary.yaml"),
        ("하나\n둘 :api[cudnnCreat]", 2, "'cudnnCreat' is not in the table of the API"),
        ("[여기](lesson:nope)", 1, "the link 'lesson:nope' leads nowhere"),
        ("[여기](ftp://x)", 1, "the link 'ftp://x' leads nowhere"),
        ("## 제목\n\n[여기](#없음)", 3, "there is no heading '#없음' in this text"),
        ("![그림](nope.svg)", 1, "there is no figure 'nope.svg' in this folder"),
        ("# 큰 제목", 1, "a heading of the first level; the title comes from lesson.yaml"),
        ("글\n\n```\ncode\n```", 3, "a code block without a language"),
        ("```klingon\ncode\n```", 1, "'klingon' is no language of the highlighter"),
        ("글\n\n:::{nonsense} x\n:::", 3, "unknown directive '{nonsense} x'"),
        (":::note\n글\n:::", 1, "unknown directive 'note'"),
        (":::{quiz} three\n:::", 1, "quiz.yaml has no question 'three'"),
        (":::{quiz}\n:::", 1, "a quiz without questions"),
        (":::{run} rust\nx\n:::", 1, "cannot run 'rust'"),
        (":::{visualiser} nope\n:::", 1, "there is no visualiser 'nope'"),
        ("::::{note} 제목\n\n:::{exercise} copy\n:::\n::::", 3, "'exercise' inside another directive or list"),
        ("::::{note} 제목\n글\n\n글 :term[nope]\n::::", 4, "'nope' is not in lessons/glossary.yaml"),
        (":::{figure} nope.svg\n:alt: 그림\n:::", 1, "there is no figure 'nope.svg'"),
        ("수 $\\nosuch{x}$", 1, "\\nosuch is unknown to the formula renderer"),
    ],
)
def test_problems_name_their_line(text: str, line: int, message: str) -> None:
    assert problems(text) == [(line, message)]


def test_problems_offer_a_mend() -> None:
    found = render(":api[cudnnCreat]", FILE, LINKS).problems
    assert found[0].mend == "did you mean 'cudnnCreate'?"


def test_unknown_exercise_is_a_warning_and_left_out() -> None:
    rendered = render("글\n\n:::{exercise} nope\n:::\n\n글", FILE, LINKS)
    assert rendered.problems == []
    assert [(w.line, w.message) for w in rendered.warnings] == [(3, "there is no exercise 'nope'")]
    assert all(isinstance(block, HtmlBlock) for block in rendered.blocks)


def test_text_is_cut_into_blocks_at_what_readers_fill_in() -> None:
    rendered = render(
        "처음\n\n:::{exercise} copy\n:::\n\n사이\n\n:::{quiz} one two\n:::\n"
        ":::{visualiser} convolution\n:stride: 2\n:pad: 1\n**설명**\n:::\n"
        ":::{run} python\nprint(1)\n\nprint(2)\n:::\n\n끝\n",
        FILE,
        LINKS,
    )
    assert rendered.problems == []
    kinds = [type(block) for block in rendered.blocks]
    assert kinds == [HtmlBlock, ExerciseBlock, HtmlBlock, QuizBlock, VisualiserBlock, RunBlock, HtmlBlock]
    quiz, visualiser, run = rendered.blocks[3], rendered.blocks[4], rendered.blocks[5]
    assert isinstance(quiz, QuizBlock)
    assert quiz.questions == ("one", "two")
    assert isinstance(visualiser, VisualiserBlock)
    assert (visualiser.name, visualiser.parameters) == ("convolution", {"stride": "2", "pad": "1"})
    assert visualiser.caption == "<p><strong>설명</strong></p>\n"
    assert isinstance(run, RunBlock)
    assert run.source == "print(1)\n\nprint(2)\n"
    assert rendered.has_run


def test_visualisers_are_those_of_the_front_end() -> None:
    source = (ROOT / "frontend" / "src" / "visualisers" / "load.ts").read_text(encoding="utf-8")
    assert re.findall(r"^  (\w+): \(\) => import", source, re.MULTILINE) == list(VISUALISERS)


@pytest.mark.parametrize("name", ["convolution", "pooling"])
def test_parameters_of_visualisers_are_those_of_the_front_end(name: str) -> None:
    source = (ROOT / "frontend" / "src" / "visualisers" / f"{name}.ts").read_text(encoding="utf-8")
    found = re.findall(r'make\("(\w+)",(?: "\w+",)? \d+, (\d+), (\d+)\)', source)
    ranges = {key: limits for key, limits in VISUALISERS[name].items() if isinstance(limits[0], int)}
    assert {key: (int(low), int(high)) for key, low, high in found} == ranges


def test_words_that_visualisers_take_are_those_of_the_front_end() -> None:
    folder = ROOT / "frontend" / "src" / "visualisers"
    life = (folder / "life-steps.ts").read_text(encoding="utf-8")
    stories = re.search(r"STORIES.*?^\};", life, re.DOTALL | re.MULTILINE)
    modes = re.search(r"MODES = \[(.*?)\]", (folder / "pooling.ts").read_text(encoding="utf-8"))
    assert stories
    assert modes
    assert tuple(re.findall(r"^  (\w+): \[", stories[0], re.MULTILINE)) == VISUALISERS["life"]["story"]
    assert tuple(re.findall(r'"(\w+)"', modes[1])) == VISUALISERS["pooling"]["mode"]


def test_a_title_of_a_box_is_looked_at_too() -> None:
    rendered = render(":::{note} On :term[nope] and **this\nText.\n:::\n", FILE, LINKS)
    assert [problem.message for problem in rendered.problems] == ["'nope' is not in lessons/glossary.yaml"]
    assert [problem.line for problem in rendered.warnings] == [1]


def test_notes_hints_and_figures(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text("<svg/>")
    links = replace(LINKS, folder=tmp_path, media="/media/lessons/test")
    out = html(
        ":::{note} 알아 두기\n내용 **굵게**\n:::\n\n:::{warning}\n조심\n:::\n\n:::{hint} 열어 보기\n답\n:::\n\n"
        ":::{figure} a.svg\n:alt: 그림 하나\n설명\n:::\n",
        links,
    )
    assert '<aside class="note"><p class="title">알아 두기</p>' in out
    assert '<aside class="warning"><p>조심</p>' in out
    assert '<details class="hint"><summary>열어 보기</summary>' in out
    assert '<img src="/media/lessons/test/a.svg" alt="그림 하나" loading="lazy">' in out
    assert "<figcaption><p>설명</p>" in out
    assert problems(":::{figure} a.svg\n설명\n:::", links) == [(1, "'a.svg' has no `:alt:`")]
    assert problems("![](a.svg)", links) == [(1, "the figure 'a.svg' has no alternative text")]


def test_links_get_the_language_and_anchors() -> None:
    out = html("[핸들](lesson:handles#why) [문제](/exercises/copy) [밖](https://example.org/a?b=1)")
    assert 'href="/ko/lessons/handles#why"' in out
    assert 'href="/ko/exercises/copy"' in out
    assert 'href="https://example.org/a?b=1" rel="noopener"' in out


def test_headings_have_stable_ids_and_a_contents_tree() -> None:
    rendered = render("## 왜 한 번만?\n\n### 작은 것\n\n## 왜 한 번만?\n\n## Named {#own-id}\n", FILE, LINKS)
    assert [heading.id for heading in rendered.headings] == ["왜-한-번만", "작은-것", "왜-한-번만-2", "own-id"]
    top = tree(rendered.headings)
    assert [(heading.text, len(heading.children)) for heading in top] == [
        ("왜 한 번만?", 1),
        ("왜 한 번만?", 0),
        ("Named", 0),
    ]
    assert (
        '<h2 id="own-id">Named <a class="anchor" href="#own-id" aria-label="Named" rel="noopener">#</a></h2>'
        in rendered.html
    )
    assert slug("???") == "section"


def test_extensions_of_markdown() -> None:
    out = html("각주[^1]와 표\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] 했다\n\n용어\n: 뜻\n\n[^1]: 아래 글\n")
    for piece in (
        'class="footnotes"',
        '<div class="table" tabindex="0"><table>',
        "<dl>",
        'type="checkbox"',
    ):
        assert piece in out


def test_an_empty_header_cell_is_no_header() -> None:
    out = html("| | a |\n|---|---|\n| b | 1 |\n")
    assert "<td></td>\n<th>a</th>" in out


def test_header_cells_without_text_are_plain_cells() -> None:
    out = html("|   | b |\n|---|---|\n| 1 | 2 |\n")
    assert "<td></td>\n<th>b</th>" in out


def test_code_is_coloured_by_classes_only() -> None:
    out = html("```cpp\nint x = 1; // <b>\n```\n")
    assert '<div class="highlight" data-language="cpp"><pre tabindex="0"><code>' in out
    assert '<span class="kt">int</span>' in out
    assert "style=" not in out
    assert "&lt;b&gt;" in out


@pytest.mark.parametrize(
    "latex",
    [
        r"\left\lfloor \frac{H + 2p - d(R-1) - 1}{s} \right\rfloor + 1",
        r"y_{n,k,p,q} = \sum_{c,r,s} x_{n,c,p+r,q+s} \, w_{k,c,r,s}",
        r"\begin{cases} x & x > 0 \\ 0 & \text{아니면} \end{cases}",
        r"\begin{align*} a &= b \\ c &= d \end{align*}",
        r"\mathrm{softmax}(x)_i = \frac{e^{x_i}}{\sum_j e^{x_j}}",
        r"\alpha \cdot y + \beta \times 10^{-3} \le \epsilon",
    ],
)
def test_formulas_of_the_course_render(latex: str) -> None:
    assert maths.complaint(latex) is None
    out = html(f"$${latex}$$")
    assert out.startswith('<div class="math-block"><math xmlns="http://www.w3.org/1998/Math/MathML" display="block">')
    assert " style=" not in out


@pytest.mark.parametrize(
    ("latex", "message"),
    [
        (r"\nosuchcommand{x}", "unknown"),
        (r"\begin{aligned} a &= b \end{aligned}", "environment"),
        (r"\frac{a}{", "a brace without its counterpart"),
        (r"a \! b", "negative space"),
        (r"\style{color:red}{x}", "inline styles"),
        (r"\href{javascript:alert(1)}{x}", "inline styles or links"),
        (r"6 그리고 10", "Korean text"),
    ],
)
def test_formulas_that_do_not_render_are_reported(latex: str, message: str) -> None:
    found = maths.complaint(latex)
    assert found
    assert message in found[0]


def test_dollars_in_prose() -> None:
    assert problems("값은 $6 그리고 10$ 입니다")[0][1].startswith("Korean text inside a formula")
    assert html(r"값은 \$6 그리고 10\$ 입니다") == "<p>값은 $6 그리고 10$ 입니다</p>\n"
    assert html("값은 6$ 그리고 10$ 입니다") == "<p>값은 6$ 그리고 10$ 입니다</p>\n"


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        '<img src=x onerror="alert(1)">',
        "![x](https://example.org/tracker.png)",
        "`<b>`",
    ],
)
def test_nothing_active_gets_through(text: str) -> None:
    out = str(render(text, FILE, LINKS).html).lower()
    assert "<script" not in out
    assert 'href="javascript' not in out
    assert "<img src=x" not in out
    assert "<b>" not in out


def test_sanitiser_is_a_gate_of_its_own() -> None:
    dirty = '<p style="color:red" onclick="x()">a<iframe src="//e"></iframe></p>'
    assert clean(dirty) == "<p>a</p>"
    ours = '<fp-visualiser name="x" data-pad="1"></fp-visualiser>'
    assert clean(ours) == ours
    assert clean("<math><mi mathvariant='bold'>x</mi></math>") == '<math><mi mathvariant="bold">x</mi></math>'


def test_inline_has_no_paragraph_unless_it_needs_one() -> None:
    assert render_inline("`a`와 **b**", FILE, LINKS).html == "<code>a</code>와 <strong>b</strong>"
    assert "<p>" in render_inline("하나\n\n둘", FILE, LINKS).html
    assert render_inline(":term[nope]", FILE, LINKS, 7).problems[0].line == 7


def test_rendered_without_mathematics_says_so() -> None:
    assert render("글", FILE, LINKS).math is False
    assert render("$x$", FILE, LINKS).math is True
    assert isinstance(render("글", FILE, LINKS), Rendered)
