"""The editor: keys, drafts, reset, help, and compiler messages in the learner's own lines."""

import time

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser import programs, waiting, workbench
from tests.browser.conftest import Console, OpenPage

PATH = f"/ko/exercises/{programs.EXERCISE}?language=cpp"
COMPILER_MS = 180_000
"""Longer than a compiler may take, and the pauses after which a grader with other work is asked again."""
CONTENT = "[data-editor=cpp] .cm-content"


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    opened = open_page(PATH)
    workbench.wait_for_editor(opened)
    return opened


def program(page: Page) -> Locator:
    """The text field that is sent, which the editor keeps up to date."""
    return page.locator("[data-editor=cpp] textarea")


def wait_until_checked(page: Page, sentence: str) -> None:
    """Drafts are compiled at the lowest priority, and not at all beside other work: the page then asks again."""
    expect(page.locator("[data-checked]")).to_have_text(sentence, timeout=COMPILER_MS)


def test_tab_indents_and_escape_then_tab_leaves(page: Page) -> None:
    workbench.write(page, "int a;")
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    expect(program(page)).to_have_value("    int a;")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.locator(CONTENT)).not_to_be_focused()
    expect(program(page)).to_have_value("    int a;")


def test_hangul_is_composed_and_two_columns_wide(page: Page) -> None:
    workbench.write(page, "")
    page.keyboard.insert_text("// 한글 주석")
    expect(program(page)).to_have_value("// 한글 주석")
    widths = page.evaluate(
        """async selector => {
          await document.fonts.ready;
          const style = getComputedStyle(document.querySelector(selector));
          await document.fonts.load(`${style.fontSize} "FP Code"`, "가a");
          const canvas = document.createElement("canvas").getContext("2d");
          canvas.font = `${style.fontSize} "FP Code"`;
          return [canvas.measureText("가").width, canvas.measureText("a").width];
        }""",
        CONTENT,
    )
    assert widths[0] == pytest.approx(2 * widths[1], rel=0.01)


def test_ctrl_s_saves_the_draft_and_a_reload_brings_it_back(page: Page) -> None:
    workbench.write(page, "// my draft\n")
    with page.expect_response(lambda response: response.url.split("?")[0].endswith("/draft")) as saved:
        page.keyboard.press("Control+s")
    assert saved.value.ok
    expect(page.locator("[data-saved]")).not_to_be_empty()
    page.reload()
    expect(program(page)).to_have_value("// my draft\n")


def test_a_draft_survives_a_server_that_is_away(page: Page, console: Console) -> None:
    console.forgive("Failed to load resource")
    page.route("**/draft*", lambda route: route.abort())
    workbench.write(page, "// written offline\n")
    page.keyboard.press("Control+s")
    expect(page.locator("[data-saved]")).to_have_text("이 브라우저에만 저장됨")
    page.unroute("**/draft*")
    page.reload()
    workbench.wait_for_editor(page)
    expect(program(page)).to_have_value("// written offline\n")


def test_reset_warns_and_can_be_taken_back(page: Page) -> None:
    starter = program(page).input_value()
    workbench.write(page, "// precious\n")
    page.keyboard.press("Control+s")
    page.locator("[data-reset]").click()
    dialog = page.locator("#reset-dialog")
    dialog.get_by_role("button", name="내 코드 그대로 두기").click()
    expect(program(page)).to_have_value("// precious\n")
    page.locator("[data-reset]").click()
    dialog.get_by_role("button", name="처음부터").click()
    expect(program(page)).to_have_value(starter)
    page.locator("[data-restore]").click()
    expect(program(page)).to_have_value("// precious\n")


def test_completion_hover_and_signature_come_from_the_api_table(page: Page) -> None:
    workbench.write(page, "")
    page.keyboard.type("cudnnSetTensor4dD")
    option = page.locator(".cm-tooltip-autocomplete li", has_text="cudnnSetTensor4dDescriptor").first
    option.click()
    page.keyboard.type("(d, ")
    expect(page.locator(".signature-box strong")).to_contain_text("cudnnTensorFormat_t")
    page.locator(f"{CONTENT} .cm-line").get_by_text("cudnnSetTensor4dDescriptor").hover()
    expect(page.locator(".cm-tooltip-hover .doc-box")).to_be_visible()


def test_the_signature_waits_for_typing_and_goes_with_escape_or_a_click(page: Page) -> None:
    signature = page.locator(".signature-box")
    workbench.write(page, "cudnnCreate(\n    &handle\n);")
    inside = page.locator(f"{CONTENT} .cm-line").nth(1)
    inside.click()
    page.keyboard.press("ArrowLeft")
    expect(signature).to_have_count(0)
    page.keyboard.type(",")
    expect(signature).to_contain_text("cudnnHandle_t")
    page.keyboard.press("Escape")
    expect(signature).to_have_count(0)
    page.keyboard.type(" ")
    expect(signature).to_have_count(0)
    named = page.locator("#editor-help kbd").inner_text()
    page.keyboard.press(named.replace("Ctrl", "Control").replace(" ", "+"))
    expect(signature).to_contain_text("cudnnHandle_t")
    inside.click()
    expect(signature).to_have_count(0)


@pytest.mark.slow
def test_a_compile_error_is_marked_and_its_location_selects_the_code(page: Page) -> None:
    workbench.write(page, "#include <cudnn.h>\nint broken( {\n")
    workbench.run(page)
    expect(page.locator(".cm-lint-marker-error").first).to_be_visible()
    place = page.locator(".diagnostics button").first
    expect(place).to_contain_text("2")
    place.click()
    expect(page.locator(CONTENT)).to_be_focused()
    expect(page.locator(".cm-activeLine")).to_have_text("int broken( {")


@pytest.mark.slow
def test_compiler_messages_appear_while_one_pauses(page: Page) -> None:
    workbench.write(page, "#include <cudnn.h>\nint broken = nowhere;\n")
    wait_until_checked(page, "컴파일 오류 1개")
    expect(page.locator(".cm-lint-marker-error")).to_have_count(1)
    expect(page.locator(CONTENT)).to_be_focused()
    workbench.write(page, programs.accepted(programs.EXERCISE, "cpp"))
    wait_until_checked(page, "컴파일 오류 없음")
    expect(page.locator(".cm-lint-marker-error")).to_have_count(0)
    expect(page.locator("[data-history] [data-row]")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("state", ["busy", "cancelled"])
def test_a_grader_without_time_for_a_draft_is_asked_again(page: Page, state: str) -> None:
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.post_data_json["source"])
        if len(asked) > 1:
            route.continue_()
        else:
            route.fulfill(json={"state": state, "code": "", "diagnostics": [], "seconds": 0, "cached": False})

    page.route("**/draft/compile*", answer)
    source = "int broken = nowhere;\n"
    workbench.write(page, source)
    wait_until_checked(page, "컴파일 오류 1개")
    assert set(asked) == {source}
    assert len(asked) > 1


@pytest.mark.slow
def test_what_is_told_beside_the_tabs_does_not_break_their_names(page: Page) -> None:
    page.set_viewport_size({"width": 1000, "height": 800})
    tabs = page.locator(".editor-pane .tabs")
    before = waiting.box(tabs)
    workbench.write(page, "int broken = nowhere;\n")
    wait_until_checked(page, "컴파일 오류 1개")
    expect(page.locator("[data-saved]")).not_to_be_empty()
    after = waiting.box(tabs)
    assert (after["width"], after["height"]) == (before["width"], before["height"])


@pytest.mark.slow
def test_run_after_a_pause_finds_the_library_ready(page: Page) -> None:
    workbench.write(page, f"{programs.accepted(programs.EXERCISE, 'cpp')}\n// {time.time_ns()}\n")
    wait_until_checked(page, "컴파일 오류 없음")
    with page.expect_response("**/submissions?*") as started:
        workbench.run(page)
    assert workbench.is_accepted(page)
    events = page.request.get(started.value.json()["events"]).text()
    assert '"cached": true' in next(line for line in events.splitlines() if '"type": "compiled"' in line)


def test_without_javascript_the_program_is_there_to_read(open_page: OpenPage) -> None:
    page = open_page(PATH, java_script_enabled=False)
    expect(page.locator("[data-editor=cpp] textarea")).to_be_visible()
    expect(page.locator(".prompt")).to_be_visible()
