"""Each page of the site works in a browser, narrow and wide, light and dark."""

import functools
import http.server
import re
import shutil
import threading
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from skmetrics_ext import ConfusionMatrix

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md"))
SWITCH = "label[for^=__palette]:not([hidden])"
# How long a search may take, on a machine that is busy.
SECONDS = 5
# The beginnings of tables that are wider than their place.
CUT_TABLES = """() => [...document.querySelectorAll("table")]
    .filter(table => table.scrollWidth > table.closest(".md-content__inner").clientWidth)
    .map(table => `table cut: ${table.innerText.slice(0, 60)}`)"""
SCHEME = "document.body.getAttribute('data-md-color-scheme')"


def address_of(page):
    """Where a file of docs/ is on the site."""
    return re.sub(r"(^|/)index/$", r"\1", page.removesuffix(".md") + "/")


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
    # What a page still loads while it is left is cancelled.
    page.on(
        "requestfailed",
        lambda request: (
            None
            if request.failure == "net::ERR_ABORTED"
            else wrong.append(f"failed: {request.url}")
        ),
    )
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
    problems, widths = {}, [1440, 375]
    for name in PAGES:
        page.goto(server + address_of(name), wait_until="load")
        scheme = page.evaluate(SCHEME)
        for width in widths:
            page.set_viewport_size({"width": width, "height": 900})
            if (needed := page.evaluate("document.documentElement.scrollWidth")) > width:
                wrong.append(f"{needed} pixels wide")
            if width == 1440:
                wrong.extend(page.evaluate(CUT_TABLES))
        # The next page begins with the width that this one ends with.
        widths.reverse()
        page.eval_on_selector(SWITCH, "label => label.click()")
        if {scheme, page.evaluate(SCHEME)} != {"default", "slate"}:
            wrong.append(f"stays {scheme}")
        if wrong:
            problems[name] = list(wrong)
        wrong.clear()
    assert problems == {}


def test_a_matrix_of_many_groups_is_no_wider_than_a_page(browser):
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    groups = [f"{place} of the {n} university hospitals" for n in range(4) for place in "ab"]
    cm = ConfusionMatrix.from_predictions([0, 1] * 8, [0, 1] * 8, by={"site": groups * 2})
    page.set_content(f"<body>{cm._repr_html_()}</body>")
    assert "more]" in page.inner_text("caption")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    assert page.evaluate("document.querySelector('table').clientWidth") > 600
    page.close()


# Of each kind of page one, whose tables, code, labels and pictures may be hard to read.
READ_BY_AXE = (
    *("index.md", "which_metric.md", "tasks/compare_models.md", "recipes/cost_matrix.md"),
    *("metrics/recall.md", "theory/coverage.md", "api/ConfusionMatrix.md", "who_gives_what.md"),
    *("gallery.md", "cheat_sheet.md"),
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 375])
def test_pages_can_be_read_without_a_mouse_and_with_weak_eyes(browser, server, scheme, width):
    size = {"width": width, "height": 900}
    with browser.new_context(viewport=size, color_scheme=scheme) as context:
        page = context.new_page()
        for name in READ_BY_AXE:
            page.goto(server + address_of(name), wait_until="load")
            serious = [
                (violation["id"], violation["nodes"][0]["html"])
                for violation in Axe().run(page).response["violations"]
                if violation["impact"] in {"serious", "critical"}
            ]
            assert serious == [], name


# Of the searches in test_search.py, one in words of the page and one in others.
FIRST_FOUND = {"McNemar": "theory/tests", "why nan": "undefined_values"}
# The results stand in a tree of their own, beside the page's.
FOUND = """() => {
    const trees = [...document.querySelectorAll("body *")].map(each => each.shadowRoot);
    const links = trees.flatMap(tree => (tree ? [...tree.querySelectorAll("li a")] : []));
    return links.map(link => link.href);
}"""


def test_searches_find_their_page_first(tab, server):
    page, wrong = tab
    page.goto(server, wait_until="load")
    page.click(".md-search__button")
    box = page.locator("input:visible").first
    others = {}
    for words, expected in FIRST_FOUND.items():
        # So that no result of the search before is taken for one of this.
        box.fill("qqqq")
        wait_for(page, "")
        box.fill(words)
        address = f"{server}{expected}/" if expected else server
        if (first := wait_for(page, address)) != address:
            others[words] = first
    assert others == {}
    assert wrong == []


def wait_for(page, address):
    """The first result, once it is this address, or after all seconds; "" if there is none."""
    for _ in range(SECONDS * 10):
        first = re.split(r"[?#]", (page.evaluate(FOUND) or [""])[0])[0]
        if first == address:
            break
        page.wait_for_timeout(100)
    return first
