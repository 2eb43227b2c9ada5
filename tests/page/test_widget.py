"""evaluate's own widget, which docs/evaluators.md warns of."""

import pytest
from evaluate.utils import launch_gradio_widget


def test_it_fails_with_current_gradio(metric):
    """Once this test fails, the page may send people to the widget."""
    gradio = pytest.importorskip("gradio")
    assert not hasattr(gradio, "inputs")
    with pytest.raises(AttributeError, match="module 'gradio' has no attribute 'inputs'"):
        launch_gradio_widget(metric)
