"""Packages of other fields themselves, which the nightly workflow installs.

What they gave once is compared by `test_recorded.py`, also where they are missing.
"""

import pytest

from helpers.published import PEERS, assert_figures
from programs.print_peers import printed_cases


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("package", printed_cases())
def test_hostile_texts(request, package):
    try:
        cases = list(printed_cases()[package]())
    except (ImportError, FileNotFoundError):
        pytest.skip(f"{package} is missing")
    assert cases
    for case in cases:
        metric = request.getfixturevalue(case.pop("metric"))
        assert_figures(metric, PEERS["corpora"][case.pop("corpus")], **case, atol=1e-70)
