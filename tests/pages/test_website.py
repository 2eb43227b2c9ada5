"""The site has all pages, and what they link to, at the places that they have here.

`make docs` builds it, and stops at a link that leads nowhere.
"""

import importlib
import importlib.util
import re

import pytest

import rouge_bleu
from helpers.repository import ROOT


def program(name):
    """Return a program of the folder, which is no package."""
    specification = importlib.util.spec_from_file_location(name, ROOT / "website" / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def gather():
    return program("gather")


@pytest.fixture(scope="module")
def site(gather, tmp_path_factory):
    """What the generator of the site gets."""
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gather, "SITE", folder)
        patch.setattr(gather, "PAGES", folder / "pages")
        assert gather.main() == 0
    return folder


def test_each_page_has_its_place_in_the_menu(site):
    pages = {path.relative_to(site / "pages").as_posix() for path in site.glob("pages/**/*.md")}
    menu = re.findall(r'= "([\w/-]+\.md)"', (site / "zensical.toml").read_text(encoding="utf-8"))
    assert sorted(menu) == sorted(pages)
    here = {
        path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *ROOT.glob("*/*.md")]
    }
    assert {page for page in here if not page.startswith((".", "build"))} <= pages


def test_links_lead_to_what_is_there(site):
    for page in site.glob("pages/**/*.md"):
        text = re.sub(r"^```(?s:.*?)^```$", "", page.read_text(encoding="utf-8"), flags=re.M)
        for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", text):
            assert page.parent.joinpath(target).exists(), (page, target)


def test_examples_with_prompts_are_consoles(gather):
    text = "```python\n>>> 1\n1\n```\n\n```python\nx = 1\n```\n"
    assert gather.for_site(text) == text.replace("```python\n>>>", "```pycon\n>>>")


def test_the_page_of_functions_has_each_function(gather):
    public = set(rouge_bleu.__all__) - {"__version__"}
    assert {place.rpartition(".")[2] for place in gather.FUNCTIONS} == public
    for place in gather.FUNCTIONS:
        module, _, name = place.rpartition(".")
        assert getattr(importlib.import_module(f"rouge_bleu.{module}"), name) is getattr(
            rouge_bleu, name
        )


def test_the_picture_is_what_its_program_draws():
    picture = program("picture")
    assert picture.PICTURE.read_text(encoding="utf-8") == picture.picture()
