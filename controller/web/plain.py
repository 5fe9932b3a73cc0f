"""Plain pages: a heading and what follows it, with no program but the choice of light or dark."""

import html

from hexboard.web.spoken import mostly

PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><link rel="stylesheet" href="{up}static/style.css">
<script type="module" src="{up}static/theme.js"></script></head>
<body><main class="plain"><h1>{title}</h1>
{body}</main></body></html>
"""


def plain_page(language: str, title: str, body: str, up: str = "") -> str:
    """The page: `title` is text, `body` HTML; `up` leads to the front page's folder ("../")."""
    return PAGE.format(language=mostly(language), title=html.escape(title), body=body, up=up)
