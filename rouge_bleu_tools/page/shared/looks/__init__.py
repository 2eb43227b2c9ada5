"""How the page looks: colours, parts of HTML, what a browser runs. Imports no handler."""
