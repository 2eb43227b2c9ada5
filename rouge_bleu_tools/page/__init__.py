"""The page that `app.py` serves.

    texts, files and options of a visitor
        -> handlers: what a click does; they call the metric
        -> rendering: numbers to tables, charts and marked texts
        -> layout: tabs and components, and which click calls which handler

A tab is a room (`try_it`, `file`, `settings`, `use`) with its layout in `tab.py`; `shared`
has what several need. `layout.py` puts the tabs together, `programs.py` has what programs
call, `worker.py` does long work in a process that can be ended.

Handlers and rendering know nothing of Gradio: that is left to `layout.py`, `programs.py`,
the tabs, and `options_panel`, `events`, `uploads` and `style` of `shared`.
"""
