"""A hook of MkDocs that puts <kdd-search> into a site, see ../README.md."""

import json
import os
import re
import subprocess
from pathlib import Path
from urllib.parse import quote, urlsplit

from jinja2 import ChoiceLoader, DictLoader
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ELEMENT = """<script src="{{ kdd_top }}kdd/start.js" defer></script>
<kdd-search src="{{ kdd_top }}kdd/docs.kddx" base="{{ kdd_top }}" pages="{{ kdd_pages }}"
{%- if kdd_moved %} moved="{{ kdd_top }}kdd/moved.json"{% endif %}
{%- if kdd_asks %} deep-links="off"{% endif %}></kdd-search>"""

# Where the element stands: a template of a theme, a pattern in it, and what takes its place.
INCLUDE = '{% include "kdd-search.html" %}'
PLACES = [
    ("partials/header.html", r"({% if config\.repo_url %})", INCLUDE + r"\1"),  # Material
    ("base.html", r"({%-? block search_button %}).*?({%-? endblock %})", rf"\1<li class='nav-item'>{INCLUDE}</li>\2"),  # the others
]


def on_files(files, config):
    """Compiles the documents and adds the files of the widget to the site's."""
    options = {"folder": ".kdd-widget", "program": os.environ.get("KDD", "kdd"), "flags": [], **config.extra.get("kdd", {})}
    folder = Path(config.config_file_path).parent / options["folder"]
    artifact = folder / "docs.kddx"
    folder.mkdir(exist_ok=True)
    try:
        for command in (
            ["build", config.docs_dir, "-o", artifact, "--dialect", "mkdocs", "--quiet", *options["flags"]],
            ["site", artifact, "--widget", "-o", folder, "--quiet"],
        ):
            subprocess.run([options["program"], *command], check=True)
    except FileNotFoundError:
        if not (folder / "start.js").exists():
            raise PluginError(
                f"kdd-search: no program {options['program']} and no {folder}/start.js: "
                'install kdd, or bring the folder that "kdd site --widget" writes'
            )
    except subprocess.CalledProcessError as error:
        raise PluginError(f"kdd-search: kdd {error.cmd[1]} ended with {error.returncode}")
    made = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    made["kdd-search.css"] = Path(__file__).with_name("kdd-search.css")
    for name, path in made.items():
        files.append(File.generated(config, f"kdd/{name}", abs_src_path=str(path)))
    config.extra_css.append("kdd/kdd-search.css")
    return files


def on_env(env, config, files):
    """Puts the element into the theme's bar, or leaves it to a template that includes kdd-search.html."""
    changed = {"kdd-search.html": ELEMENT}
    for name, pattern, place in PLACES:
        if name in env.list_templates():
            source = env.loader.get_source(env, name)[0]
            changed[name] = re.sub(pattern, place, source, count=1, flags=re.DOTALL)
    env.loader = ChoiceLoader([DictLoader(changed), env.loader])
    moved = env.globals["kdd_moved"] = moved_pages(files)
    target = Path(config.site_dir, "kdd", "moved.json")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(moved))
    return env


def moved_pages(files):
    """The addresses of pages that are not where their paths say, such as posts of a blog."""
    moved = {}
    for file in files.documentation_pages():
        path = re.sub(r"(^|/)(index|README)$", "", file.src_uri.rsplit(".", 1)[0])
        url = re.sub(r"(^|/)(index)?(\.html)?$|\.html$|/$", "", file.url.removeprefix("./"))
        if url not in (path, quote(path)):
            moved[file.src_uri] = file.url
    return moved


def on_page_context(context, page, config, nav):
    return context | within(config, context["base_url"])


def on_template_context(context, template_name, config):
    return context | within(config, context["base_url"])


def within(config, base_url):
    """The top of the site as pages address it. Instant loading changes the address of a page, so it needs the whole path."""
    top = urlsplit(config.site_url or "").path if "navigation.instant" in config.theme.get("features", []) else base_url
    pages = "directory" if config.use_directory_urls else "html"
    return {"kdd_top": top.rstrip("/") + "/", "kdd_pages": pages, "kdd_asks": any(name.endswith("search") for name in config.plugins)}
