"""The site builds without a warning, and its API reference has all public names."""

import ast
import html
import inspect
import re
from pathlib import Path

import skmetrics_ext
from tests.public_names import PUBLIC, path_of


def text_of(folder):
    return "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.html"))


def test_the_reference_has_the_public_names_and_their_methods_alone(site):
    headings = re.findall(r'<h\d id="([\w.]+)" class="doc ', text_of(site))
    found = set(headings)
    assert len(found) == len(headings)
    public = {*map(path_of, PUBLIC)}
    for name, value in PUBLIC.items():
        for key in (
            key
            for key in dir(value)
            if inspect.isclass(value) and (key[0] != "_" or key == "__call__")
        ):
            member = getattr(value, key)
            if callable(member) and (getattr(member, "__module__", None) or "").startswith(
                "skmetrics_ext."
            ):
                public.add(path_of(f"{name}.{key}"))
    assert public - found == set()
    # The others are properties.
    assert {name for name in found - public if name.rpartition(".")[0] not in public} == set()


def test_the_reference_shows_whole_signatures(site):
    text = html.unescape(text_of(site))
    for name, function in PUBLIC.items():
        if inspect.isfunction(function):
            shown = re.search(
                rf'id="skmetrics_ext\.{name}".*?doc-signature.*?<code>(.*?)</code>', text, re.DOTALL
            )[1]
            shown = (
                re.sub(r"<.*?>", "", shown)
                .replace("np.nan", "float('nan')")
                .replace("...", "Ellipsis")
            )
            assert defaults_of(shown) == defaults_of(f"{name}{signature_of(function)}"), name


def test_the_reference_shows_no_name_that_is_private(site):
    folders = {path.name for path in Path(skmetrics_ext.__file__).parent.iterdir() if path.is_dir()}
    for path in site.glob("*/**/*.html"):
        if path.parts[len(site.parts)] in {"api", "metrics"}:
            text = path.read_text(encoding="utf-8")
            modules = set(re.findall(r"skmetrics_ext\.(\w+)\.", text)) & folders
            assert modules == set(), path
            words = re.sub(r"<.*?>", "", text)
            assert re.findall(r"(?<![\w`.])_[a-z]\w+ *[=(]", words) == [], path


def test_the_reference_shows_what_a_class_is_made_of(site):
    text = html.unescape(text_of(site))
    made_by_users = [
        name
        for name, value in PUBLIC.items()
        if inspect.isclass(value) and "\nParameters\n" in inspect.getdoc(value)
    ]
    assert len(made_by_users) > 4
    for name in made_by_users:
        entry = text.partition(f'id="{path_of(name)}"')[2]
        shown = re.search(r"doc-signature.*?<code>(.*?)</code>", entry, re.DOTALL)[1]
        parsed = ast.parse(f"def {re.sub(r'<.*?>', '', shown).strip()}: ...").body[0].args
        names = [each.arg for each in [*parsed.posonlyargs, *parsed.args, *parsed.kwonlyargs]]
        parameters = inspect.signature(PUBLIC[name]).parameters.values()
        variable = {inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL}
        assert names == [each.name for each in parameters if each.kind not in variable], name


# A browser drops a tag that it does not know: `<label>` of a docstring must not become one.
TAGS = (
    "a article aside b body button circle code details dialog div em footer form h1 h2 h3 h4 h5 "
    "head header hr html img input label li link main meta nav ol p path pre rect script small "
    "span strong summary svg table tbody td th thead title tr ul"
)


def test_no_word_of_a_docstring_becomes_a_tag(site):
    text = re.sub(r"<script.*?</script>|<style.*?</style>", "", text_of(site), flags=re.S)
    assert set(re.findall(r"<([a-z]\w*)", text)) - set(TAGS.split()) == set()
    # The theme's own labels have attributes.
    assert "<label>" not in text


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
