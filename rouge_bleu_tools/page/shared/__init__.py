"""What the tabs share: metrics, choices, limits, forms, parts of HTML. Imports no tab."""
