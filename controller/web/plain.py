"""Plain pages: a heading and what follows it, with no program but the choice of light or dark."""

import html

PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><link rel="stylesheet" href="static/style.css">
<script type="module" src="static/theme.js"></script></head>
<body><main class="{kind}"><h1>{title}</h1>
{body}</main></body></html>
"""


def plain_page(language: str, title: str, body: str, kind: str = "") -> str:
    """The page: `title` is text, `body` HTML; `kind` is its class in the style sheet."""
    return PAGE.format(language=language, title=html.escape(title), body=body, kind=kind)
