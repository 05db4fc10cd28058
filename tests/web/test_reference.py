"""Reference pages, completions, glossary."""

import pytest
from markupsafe import Markup

from app.i18n.locales import LANGS
from grader.contract.api import load_api
from tests.web.conftest import Client


async def test_function_page_links_types_and_lessons(client: Client) -> None:
    page = (await client.get("/en/reference/cudnnSetTensor4dDescriptor")).text
    assert 'href="/en/reference/cudnnTensorFormat_t"' in page
    assert "libcudnn" in page
    lesson = (await client.get("/en/reference/cudnnCreate")).text
    assert 'href="/en/lessons/handles"' in lesson


async def test_enum_lists_values_and_users(client: Client) -> None:
    page = (await client.get("/ko/reference/cudnnTensorFormat_t")).text
    assert 'href="/ko/reference/CUDNN_TENSOR_NCHW"' in page
    assert "cudnnSetTensor4dDescriptor" in page


async def test_every_status_code_has_a_page_in_both_languages(client: Client) -> None:
    for value in load_api().enums["cudnnStatus_t"].values:
        for lang in ("ko", "en"):
            answer = await client.get(f"/{lang}/reference/{value.name}")
            assert answer.status_code == 200
            assert str(value.value) in answer.text


@pytest.mark.slow
async def test_every_name_of_the_table_has_a_page(client: Client) -> None:
    api = load_api()
    for name in [*api.functions, *api.enums, *api.structs, *api.opaques, *api.macros]:
        assert (await client.get(f"/ko/reference/{name}")).status_code == 200, name


async def test_struct_page_tells_every_field_and_links_its_type(client: Client) -> None:
    for lang in LANGS:
        page = (await client.get(f"/{lang}/reference/cudnnConvolutionFwdAlgoPerf_t")).text
        assert f'href="/{lang}/reference/cudnnDeterminism_t"' in page
        for field in load_api().structs["cudnnConvolutionFwdAlgoPerf_t"].fields:
            assert f"<code>{field.name}</code>" in page
            assert field.doc[lang] in page
        assert f'href="/{lang}/reference/cudnnFindConvolutionForwardAlgorithm"' in page


async def test_macro_page_shows_its_definition_and_is_found(client: Client) -> None:
    page = (await client.get("/en/reference/CUDNN_STATUS_CATEGORY")).text
    assert "CUDNN_STATUS_CATEGORY" in page
    assert "((status) / 1000 * 1000)" in Markup(page).striptags()
    assert 'href="/ko/reference/CUDNN_VERSION"' in (await client.get("/ko/reference/")).text
    results = (await client.get("/api/search", params={"q": "cudaStreamNonBlocking", "lang": "ko"})).json()["results"]
    assert (results[0]["title"], results[0]["kind"]) == ("cudaStreamNonBlocking", "value")


async def test_status_page_tells_cause_and_mend(client: Client) -> None:
    value = load_api().enumerators["CUDNN_STATUS_BAD_PARAM"][1]
    for lang in LANGS:
        text = Markup((await client.get(f"/{lang}/reference/{value.name}")).text).striptags()
        for told in (value.cause[lang], value.mend[lang]):
            assert told.replace("`", "") in text


async def test_opaque_type_tells_what_it_is(client: Client) -> None:
    page = (await client.get("/en/reference/cudnnHandle_t")).text
    assert load_api().opaques["cudnnHandle_t"].doc["en"] in page
    assert 'href="/en/reference/cudnnCreate"' in page


async def test_completions_are_cached_and_in_the_readers_language(client: Client) -> None:
    first = await client.get("/api/completions/ko.json")
    tag = first.headers["etag"]
    assert "max-age" in first.headers["cache-control"]
    assert (await client.get("/api/completions/ko.json", headers={"If-None-Match": tag})).status_code == 304
    assert (await client.get("/api/completions/en.json")).headers["etag"] != tag
    listed = first.json()["items"]
    items = {item["name"]: item for item in listed}
    assert len(items) == len(listed)
    assert "cudnnSpatialTfSamplerForward" not in items, "it is not taught"
    create = items["cudnnCreate"]
    assert create["parameters"][0]["doc"] == "새 핸들을 받는다."
    assert create["cpp"] == "cudnnStatus_t cudnnCreate(cudnnHandle_t *handle)"
    assert create["python"] == "libcudnn.cudnnCreate() -> handle"
    assert create["url"] == "/ko/reference/cudnnCreate"
    assert create["doc"]
    assert items["CUDNN_TENSOR_NCHW"]["kind"] == "value"
    assert (await client.get("/api/completions/fr.json")).status_code == 404


async def test_glossary_is_sorted_in_its_language_and_names_lessons(client: Client) -> None:
    korean, english = (await client.get("/ko/glossary")).text, (await client.get("/en/glossary")).text
    assert korean.index('id="workspace"') < korean.index('id="handle"'), "작업 공간 comes before 핸들"
    assert english.index('id="handle"') < english.index('id="workspace"')
    assert "<code>메모리</code>" in korean
    assert 'href="/ko/lessons/handles"' in korean
