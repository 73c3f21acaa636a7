"""What the README and the examples say is what happens."""

import contextlib
import io
import re
import warnings
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks_of(text):
    """The blocks of Python, each with the block of text right after it that it must print."""
    return re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", text, re.DOTALL)


BLOCKS = blocks_of(README)


def printed(run):
    output = io.StringIO()
    with contextlib.redirect_stdout(output), warnings.catch_warnings():
        warnings.simplefilter("error")
        run()
    return output.getvalue()


def test_blocks_of_the_readme_print_what_it_says():
    namespace = {}
    for code, expected in BLOCKS:
        assert printed(lambda code=code: exec(code, namespace)) == expected


def test_the_first_block_of_the_readme_works_alone():
    assert "specificity 0." in printed(lambda: exec(BLOCKS[0][0], {}))


def test_the_readme_has_the_two_commands_for_a_fresh_machine():
    assert "\npip install . && python examples/grid_search.py\n" in README
    assert '\npip install -e ".[test]" && pytest\n' in README
    for others in ("integration", "engines", "spark"):
        assert f'\npip install -e ".[test,{others}]" && pytest tests/{others}\n' in README
