"""The names of the registry are those of the tables in the modules of presets."""

from importlib import import_module

import pytest

from helpers.repository import ROOT
from rouge_bleu import registry

FILES = (ROOT / "rouge_bleu" / "presets").iterdir()
MODULES = sorted(path.stem for path in FILES if not path.name.startswith("__"))
TABLES = {
    "ROUGE": registry._ROUGE,
    "BLEU": registry._BLEU,
    "TOKENIZERS": registry.PRESET_TOKENIZERS,
    "STEMMERS": registry.PRESET_STEMMERS,
}


@pytest.mark.parametrize("table", TABLES)
def test_names_of_the_registry_are_in_their_modules(table):
    for module in MODULES:
        found = getattr(import_module(f"rouge_bleu.presets.{module}"), table, {})
        assert {name for name, one in TABLES[table].items() if one == module} == set(found), module
    assert set(TABLES[table].values()) <= {*MODULES}


def test_presets_say_what_they_reproduce():
    for presets in (registry.ROUGE_PRESETS, registry.BLEU_PRESETS):
        assert all(all(rules.about) for rules in presets.values())
