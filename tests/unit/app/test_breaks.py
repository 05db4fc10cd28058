"""Where long identifiers break: at underscores and humps, and with no character more than before."""

import pytest
from markupsafe import Markup

from app.breaks import breakable
from app.content.markdown import code
from app.content.markdown.links import Links
from app.content.markdown.render import render
from grader.paths import ROOT


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("CUDNN_CONVOLUTION_FWD_ALGO_GEMM", ["CUDNN_", "CONVOLUTION_", "FWD_", "ALGO_", "GEMM"]),
        ("cudnnGetRNNWeightParams", ["cudnn", "Get", "RNN", "Weight", "Params"]),
        ("cudnnSetTensor4dDescriptorEx", ["cudnn", "Set", "Tensor4d", "Descriptor", "Ex"]),
        ("cudnnConvolutionBackwardBias_v8", ["cudnn", "Convolution", "Backward", "Bias_", "v8"]),
        ("cudnnTensorDescriptor_t", ["cudnn", "Tensor", "Descriptor_t"]),
        ("cudnnCreate", ["cudnnCreate"]),
        ("__nv_bfloat16_raw_value", ["__nv_", "bfloat16_", "raw_", "value"]),
    ],
)
def test_places(name: str, parts: list[str]) -> None:
    assert breakable(name).split("<wbr>") == parts


def test_what_is_around_a_name_stays_as_it_is() -> None:
    text = 'f<int>(&cudnnTensorDescriptor, "한국어_이름_이름_이름_이름") < 1'
    assert "cudnn<wbr>Tensor<wbr>Descriptor" in breakable(text)
    assert breakable(text).replace("<wbr>", "") == str(Markup.escape(text))


def test_code_in_prose_and_tables_but_not_in_programs() -> None:
    name, broken = "cudnnGetConvolutionForward", "cudnn<wbr>Get<wbr>Convolution<wbr>Forward"
    text = f"`{name}`\n\n| `{name}` |\n| - |\n| :api[{name}] |\n\n```cpp\n{name}();\n```\n\n{name}\n"
    html = render(text, ROOT / "text.md", Links("en", {})).html
    assert html.count(f"<code>{broken}</code>") == 3
    assert html.count("<wbr>") == 3 * 3
    assert html.striptags().count(name) == 5


def test_declarations_break_and_keep_their_colours_and_text() -> None:
    source = "void f(const cudnnTensorDescriptor_t &xDesc, std::vector<float> y)"
    html = code.inline(source)
    assert "cudnn<wbr>Tensor<wbr>Descriptor_t" in html
    assert html.count("<span") == html.count("</span>") > 3
    assert html.striptags() == source
