"""The site builds without a warning, and its pages work in a browser, narrow and wide, dark too."""

import ast
import functools
import html
import http.server
import inspect
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

import skmetrics_ext

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md"))
SWITCH = "label[for^=__palette]:not([hidden])"
SCHEME = "document.body.getAttribute('data-md-color-scheme')"


def address_of(page):
    """Where a file of docs/ is on the site."""
    return re.sub(r"(^|/)index/$", r"\1", page.removesuffix(".md") + "/")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the built site. It is built from a copy, since Zensical keeps pages in a cache
    beside docs/.
    """
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "docs", copy / "docs")
    for name in (".zensical.toml", "tests/site/reference.py"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    command = [sys.executable, "-m", "zensical", "build", "-f", ".zensical.toml", "--strict"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    built = subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, text=True, timeout=300
    )
    assert built.returncode == 0, built.stdout + built.stderr
    # What griffe finds wrong in a docstring is no warning to Zensical.
    assert "griffe" not in built.stdout + built.stderr
    return copy / "build" / "site"


@pytest.fixture(scope="module")
def server(site):
    """The address of the site, served locally."""
    handler = functools.partial(QuietHandler, directory=site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}/"
        served.shutdown()
        thread.join()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def end_headers(self):
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        yield chromium
        chromium.close()


@pytest.fixture
def tab(browser, server):
    """A tab of the browser, and what went wrong in it."""
    page = browser.new_page()
    wrong = []
    page.on(
        "console",
        lambda message: (
            wrong.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("requestfailed", lambda request: wrong.append(f"failed: {request.url}"))
    page.on(
        "request",
        lambda request: (
            None if request.url.startswith((server, "data:")) else wrong.append(request.url)
        ),
    )
    page.on(
        "response",
        lambda response: wrong.append(f"404: {response.url}") if response.status >= 400 else None,
    )
    yield page, wrong
    page.close()


def test_each_page_works_narrow_and_wide_light_and_dark(tab, server):
    page, wrong = tab
    problems, widths = {}, [1280, 375]
    for name in PAGES:
        page.goto(server + address_of(name), wait_until="load")
        scheme = page.evaluate(SCHEME)
        for width in widths:
            page.set_viewport_size({"width": width, "height": 900})
            if (needed := page.evaluate("document.documentElement.scrollWidth")) > width:
                wrong.append(f"{needed} pixels wide")
        # The next page begins with the width that this one ends with.
        widths.reverse()
        page.eval_on_selector(SWITCH, "label => label.click()")
        if {scheme, page.evaluate(SCHEME)} != {"default", "slate"}:
            wrong.append(f"stays {scheme}")
        if wrong:
            problems[name] = list(wrong)
        wrong.clear()
    assert problems == {}


def test_search_finds_npv(tab, server):
    page, wrong = tab
    page.goto(server, wait_until="load")
    page.click(".md-search__button")
    page.keyboard.type("npv")
    page.wait_for_selector("a[href*=negative_predictive_value], a[href*=rates_of_predicted]")
    assert wrong == []


def text_of(folder):
    return "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.html"))


def test_the_reference_has_the_public_names_and_their_methods_alone(site):
    headings = re.findall(r'<h\d id="([\w.]+)" class="doc ', text_of(site / "api"))
    found = set(headings)
    assert len(found) == len(headings)
    public = {f"skmetrics_ext.{name}" for name in skmetrics_ext.__all__}
    for name in skmetrics_ext.__all__:
        value = getattr(skmetrics_ext, name)
        for key in (
            key
            for key in dir(value)
            if inspect.isclass(value) and (key[0] != "_" or key == "__call__")
        ):
            member = getattr(value, key)
            if callable(member) and (getattr(member, "__module__", None) or "").startswith(
                "skmetrics_ext."
            ):
                public.add(f"skmetrics_ext.{name}.{key}")
    assert public - found == set()
    # The others are properties.
    assert {name for name in found - public if name.rpartition(".")[0] not in public} == set()


def test_the_reference_shows_whole_signatures(site):
    text = html.unescape(text_of(site / "api"))
    for name in skmetrics_ext.__all__:
        if inspect.isfunction(function := getattr(skmetrics_ext, name)):
            shown = re.search(
                rf'id="skmetrics_ext\.{name}".*?doc-signature.*?<code>(.*?)</code>', text, re.DOTALL
            )[1]
            shown = (
                re.sub(r"<.*?>", "", shown)
                .replace("np.nan", "float('nan')")
                .replace("...", "Ellipsis")
            )
            assert defaults_of(shown) == defaults_of(f"{name}{signature_of(function)}"), name


def signature_of(function):
    """The signature of a function as code, without annotations."""
    signature = inspect.signature(function)
    parameters = [
        parameter.replace(annotation=parameter.empty) for parameter in signature.parameters.values()
    ]
    text = str(signature.replace(parameters=parameters, return_annotation=signature.empty))
    return text.replace("=nan", "=float('nan')")


def defaults_of(signature):
    """The code of a signature in one spelling of quotes and spaces."""
    return ast.unparse(ast.parse(f"def {signature.strip()}: ..."))
