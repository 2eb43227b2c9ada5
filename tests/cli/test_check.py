"""`rouge-bleu check`: what `rouge_bleu.check` finds, with scores before and after a repair."""

import json

import pytest

import rouge_bleu

PADDED = ["the cat</s><pad>\n", "a dog ran\n"]
REFERENCES = ["a dog ran</s><pad>\n", "a dog ran\n"]


@pytest.fixture
def padded(folder, monkeypatch):
    monkeypatch.setattr("rouge_bleu.checks._calls", [0, 0])  # the first calls look at texts
    (folder / "bad.txt").write_text("".join(PADDED))
    (folder / "good.txt").write_text("the cat\na dog ran\n")
    (folder / "gold.txt").write_text("".join(REFERENCES))
    rows = zip(PADDED, REFERENCES, strict=True)
    lines = [{"prediction": p.strip(), "human": r.strip(), "new": "x"} for p, r in rows]
    (folder / "table.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder


def test_findings_and_scores(run, padded):
    """F is 2 * 2 / 9 and 1; without special tokens 0 and 1."""
    status, out, _ = run("check", "bad.txt", "-r", "gold.txt", "--rouge-types", "rouge1")
    assert status == 1
    assert "special_tokens" in out
    assert "row 1: the cat[</s>]<pad>" in out
    assert f"rouge1 {100 * (4 / 9 + 1) / 2:.2f} -> 50.00" in out


def test_five_rows_of_each_finding(run, folder):
    texts = ["a cat\n", "a cat</s>\n", *["a dog</s>\n"] * 9]
    (folder / "bad.txt").write_text("".join(texts))
    (folder / "gold.txt").write_text("a cow\n" * 11)
    out = run("check", "bad.txt", "-r", "gold.txt")[1]
    assert "row 2: a cat[</s>]\n  more rows: 3, 4, 5, 6, ...\n" in out


@pytest.mark.parametrize("metric", ["rouge", "bleu"])
def test_json_is_that_of_the_function(run, padded, metric):
    status, out, _ = run("check", "table.jsonl", "-r", "human", "-m", metric, "--json")
    (found,) = json.loads(out)
    assert status == 1
    assert found.pop("score").keys() == {"name", "before", "after"}
    texts = [[one.strip() for one in side] for side in (PADDED, REFERENCES)]
    (one,) = rouge_bleu.check(*texts, metric=f"{metric}_full")
    assert (found.pop("rows"), one["examples"], found["n_rows"]) == ([1], [0], 1)
    assert found.items() > {(key, one[key]) for key in ("check", "side", "text", "message")}


def test_remedies_are_flags(run, padded):
    (padded / "schön.txt").write_text("Schöne Füße\nüber Österreich\n", encoding="utf-8")
    out = run("check", "schön.txt", "-r", "gold.txt")[1]
    assert "Pass --tokenizer unicode" in out
    assert "tokenizer=" not in out


def test_inputs_of_compare(run, padded):
    for names, files in (
        (["bad", "good"], "bad.txt good.txt -r gold.txt"),
        (["prediction", "new"], "table.jsonl --systems prediction new -r human"),
    ):
        status, out, _ = run("check", *files.split(), "--json")
        found = [(one["system"], one["check"], one["side"]) for one in json.loads(out)]
        expected = [*zip(names, ["special_tokens"] * 2, ["both", "references"], strict=True)]
        assert (status, found) == (1, expected)


def test_nothing_found(run, padded):
    assert run("check", "good.txt", "-r", "good.txt") == (0, "nothing found\n", "")
    assert run("check", "good.txt", "-r", "good.txt", "--json")[:2] == (0, "[]\n")
    (padded / "empty.txt").write_text("the cat\n\n")
    assert run("check", "empty.txt", "-r", "empty.txt")[0] == 1  # listed, not refused
    assert run("check", "none.txt", "-r", "good.txt")[0] == 2


@pytest.mark.parametrize("command", [["score"], ["compare", "good.txt"]])
def test_other_commands_name_it_after_a_warning(run, padded, command):
    *_, last = run(*command, "bad.txt", "-r", "gold.txt")[2].splitlines()
    assert "rouge-bleu check" in last
    err = run("score", "good.txt", "-r", "good.txt", "-m", "bleu")[2]  # of short texts
    assert ("[no_long_match]" in err, "check" in err) == (True, False)


def test_a_message_about_several_systems_is_printed_once(run, padded):
    (padded / "worse.txt").write_text("a cat</s>\na cat\n")
    err = run("compare", "bad.txt", "worse.txt", "-r", "gold.txt")[2]
    assert err.count("[special_tokens]") == 1
