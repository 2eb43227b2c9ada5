"""The command `rouge-bleu`: one module for each subcommand, `inputs` and `files`."""
