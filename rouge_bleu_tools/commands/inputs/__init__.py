"""Arguments, files and errors that all commands share. Imports no command."""
