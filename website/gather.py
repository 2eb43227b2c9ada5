"""Gathers the pages of the repository for the site, each at the place that it has here.

So a link from page to page is the same on GitHub and on the site, and git keeps no copy. What
pages link to, such as pictures and scripts, comes along; so do the folders of data. The gallery is
a notebook here and a page there; the page of the functions is made of their docstrings.
"""

import ast
import json
import re
import shutil
import sys
import textwrap
from base64 import b64decode
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "build" / "website"
PAGES = SITE / "pages"
FOLDERS = ("", "metric_cards", "docs", "examples", "benchmarks")
FUNCTIONS = {
    "rouge": "rouge_bleu/_rouge/api.py",
    "explain_rouge": "rouge_bleu/_rouge/api.py",
    "bleu": "rouge_bleu/_bleu/api.py",
    "explain_bleu": "rouge_bleu/_bleu/api.py",
    "load": "rouge_bleu/loading.py",
}
ENTRY = re.compile(r"^ {4}(\S.*?)(?: \((.*)\))?: ")
LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)")


def page_paths():
    """Return the paths of all pages for readers, relative to the repository."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.md"))]
    return [path.relative_to(ROOT) for path in paths]


def for_site(text):
    """Return the text of a page as the site has it: examples with prompts are consoles, and the
    notebook is a page.
    """
    text = re.sub(r"^```python\n(?=>>> )", "```pycon\n", text, flags=re.MULTILINE)
    return text.replace(".ipynb)", ".md)")


def copy_page(path):
    """Copy a page, and what it links to."""
    text = (ROOT / path).read_text(encoding="utf-8")
    write(path, for_site(text).encode())
    for target in LINK.findall(text):
        linked = (ROOT / path).parent.joinpath(target).resolve()
        if linked.is_file() and linked.suffix not in (".md", ".ipynb"):
            write(linked.relative_to(ROOT), linked.read_bytes())


def write(path, content):
    (PAGES / path).parent.mkdir(parents=True, exist_ok=True)
    (PAGES / path).write_bytes(content)


def page_of_notebook(path):
    """Write a notebook as a page: its texts, its code, and what the code has printed and drawn."""
    parts = []
    for cell in json.loads((ROOT / path).read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "image/png" in data:
                picture = f"{path.stem}-{len(parts)}.png"
                write(path.with_name(picture), b64decode(data["image/png"]))
                parts.append(f"![The plot that the code above draws]({picture})")
            else:
                text = "".join(output.get("text", data.get("text/plain", "")))
                parts.append(f"```text\n{text.rstrip()}\n```")
    write(path.with_suffix(".md"), "\n\n".join(parts).encode())


# --- functions ----------------------------------------------------------------------


def page_of_functions():
    """Write the page of the functions, from their docstrings; nothing is imported for it."""
    parts = ["# Functions", "What `import rouge_bleu` gives:"]
    for name, file in FUNCTIONS.items():
        module = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        (function,) = (
            node for node in module.body if isinstance(node, ast.FunctionDef) and node.name == name
        )
        parts += [f"## {name}", f"```python\n{call_of(function)}\n```"]
        parts += page_of_docstring(ast.get_docstring(function))
    write(Path("functions.md"), "\n\n".join(parts).encode())


def call_of(function):
    """Return a call with the arguments that go without a name, such as `f(a, b, **options)`."""
    names = [argument.arg for argument in function.args.args]
    return f"rouge_bleu.{function.name}({', '.join(names)}, **options)"


def page_of_docstring(docstring):
    """Return the paragraphs and lists of a docstring with sections such as `Args:`."""
    parts = []
    for text in re.split(r"\n\n(?=\S)", docstring):
        title, _, body = text.partition("\n")
        if not re.fullmatch(r"[A-Z]\w+(, .*)?:", title):
            parts.append(plain(text))
            continue
        parts.append(f"**{title}**")
        if title == "Examples:":
            parts.append(f"```pycon\n{textwrap.dedent(body).strip()}\n```")
        elif title == "Returns:":
            parts += [plain(paragraph) for paragraph in body.split("\n\n")]
        else:
            parts.append("\n".join(map(item, re.split(r"\n(?= {4}\S)", body))))
    return parts


def item(text):
    """Return an entry of a section, `name (type): meaning`, as an item of a list."""
    match = ENTRY.match(text)
    kind = f" ({plain(match[2])})" if match[2] else ""
    return f"* `{match[1]}`{kind}: {plain(text[match.end() :])}"


def plain(text):
    """Return a text on one line, in which no sign is markup."""
    signs = re.sub(r"([*_\\`])", r"\\\1", " ".join(text.split()))
    return signs.replace("&", "&amp;").replace("<", "&lt;")


def main():
    shutil.rmtree(PAGES, ignore_errors=True)
    for path in page_paths():
        copy_page(path)
    page_of_notebook(Path("examples", "gallery.ipynb"))
    page_of_functions()
    write(Path("look.css"), (ROOT / "website" / "look.css").read_bytes())
    shutil.copyfile(ROOT / "website" / "zensical.toml", SITE / "zensical.toml")
    return 0


if __name__ == "__main__":
    sys.exit(main())
