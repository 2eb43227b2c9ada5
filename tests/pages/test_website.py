"""The site has all pages, and what they link to, at the places that they have here.

`make docs` builds it, and stops at a link that leads nowhere.
"""

import inspect
import re

import pytest

import rouge_bleu
from helpers.pages import PAGES
from helpers.repository import ROOT, module_at


@pytest.fixture(scope="module")
def gather():
    return module_at(ROOT / "website" / "gather.py")


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
    assert pages.issuperset(PAGES)


def test_the_page_of_functions_has_each_function_and_option(gather, site):
    assert set(gather.FUNCTIONS) == set(rouge_bleu.__all__) - {"__version__"}
    page = (site / "pages" / "functions.md").read_text(encoding="utf-8")
    for name in gather.FUNCTIONS:
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        for argument in inspect.signature(getattr(rouge_bleu, name)).parameters:
            if not name.startswith("explain") or argument in ("prediction", "reference"):
                assert f"`{argument}`" in section or f"`**{argument}`" in section


def test_the_picture_is_what_its_program_draws():
    picture = module_at(ROOT / "website" / "picture.py")
    assert picture.PICTURE.read_text(encoding="utf-8") == picture.picture()
