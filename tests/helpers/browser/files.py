"""Files for the tab "Score a file", and what a visitor does with them."""

import json

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from helpers.browser.sites import wait_until

SUBJECTS = ["the cat", "a dog", "<b>my</b> horse", "her old car", "a Zebra"]
TABLE = {
    "id": [f"row {number}" for number in range(60)],
    "prediction": [f"{SUBJECTS[n % 5]} sat on mat number {n % 7}" for n in range(60)],
    "other": [f"{SUBJECTS[n % 4]} stood near mat {n % 3}" for n in range(60)],
    "reference": [f"{SUBJECTS[n % 3]} sat on the mat number {n % 5}" for n in range(60)],
}


def written(folder, kind, table=TABLE):
    path = folder / f"texts.{kind}"
    if kind == "csv":
        pa_csv.write_csv(pa.table(table), path)
    elif kind == "parquet":
        pq.write_table(pa.table(table), path)
    else:
        lines = zip(*table.values(), strict=True)
        text = "\n".join(json.dumps(dict(zip(table, line, strict=True))) for line in lines)
        path.write_text(text, encoding="utf-8")
    return path


def upload(page, path):
    page.locator("#file-upload input[type=file]").set_input_files(path)


def chosen_column(page):
    return page.locator("#file-prediction-column input").input_value()


def score_upload(page):
    page.locator("#file-button").click()
    page.locator("#file-summary table").first.wait_for(timeout=60_000)


def score(page, path):
    """Upload a file, wait for its columns, and score it."""
    upload(page, path)
    wait_until(lambda: chosen_column(page))
    score_upload(page)


def start_large(page, folder):
    """Score a file that takes long, and wait until its progress is to be seen."""
    texts = [" ".join(f"word{number}" for number in range(200))] * 40_000
    upload(page, written(folder, "parquet", {"prediction": texts, "reference": texts}))
    wait_until(lambda: chosen_column(page) == "prediction")
    page.locator("#file-button").click()
    page.locator("#file-progress progress").wait_for(timeout=60_000)
