"""Pages for a browser: templates filled with data; nothing is computed here."""
