"""The page: what it shows (`sheet`), how it gets there (`server`), the page itself (`static/`)."""
