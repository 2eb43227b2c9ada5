"""Runs the code of a notebook in this process, and keeps what Jupyter would show."""

import ast
import base64
import io
from contextlib import redirect_stdout
from unittest.mock import patch

import evaluate
import matplotlib
import matplotlib.pyplot as plt

from helpers.metrics import loaded


def cells_of_code(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def outputs_of_notebook(notebook):
    """Return the outputs of each cell of code, in the form of the notebook's own.

    Metrics are loaded by the path of their script, and plots are drawn on no screen.
    """
    names = {"__name__": "__main__"}
    matplotlib.use("agg")
    with (
        patch.object(evaluate, "load", loaded),
        patch.object(plt, "show", lambda: None),
        matplotlib.rc_context(matplotlib.rcParamsDefault),
    ):
        return [
            _outputs_of_cell("".join(cell["source"]), number, names)
            for number, cell in enumerate(cells_of_code(notebook), start=1)
        ]


def _outputs_of_cell(source, number, names):
    statements = ast.parse(source).body
    last = statements.pop() if isinstance(statements[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with redirect_stdout(printed):
        exec(compile(ast.Module(statements, []), f"cell {number}", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    outputs = []
    if printed.getvalue():
        lines = printed.getvalue().splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines})
    if value is not None:
        shown = {"data": {"text/plain": repr(value).splitlines(keepends=True)}}
        kind = {"metadata": {}, "output_type": "execute_result"}
        outputs.append(shown | {"execution_count": number} | kind)
    return outputs + [_picture(figure) for figure in map(plt.figure, plt.get_fignums())]


def _picture(figure):
    """Return a figure as an output, and close it."""
    content = io.BytesIO()
    # Without the version of matplotlib, the same figure is the same file.
    figure.savefig(content, format="png", dpi=100, metadata={"Software": None})
    plt.close(figure)
    data = {"image/png": base64.b64encode(content.getvalue()).decode()}
    return {"data": data, "metadata": {}, "output_type": "display_data"}
