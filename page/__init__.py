"""The page that `app.py` serves.

    texts, files and options of a visitor
        -> handlers: what a click does; they call the metric
        -> rendering: numbers to tables, charts and marked texts
        -> layout: tabs and components, and which click calls which handler

handlers     scoring.py, file_scoring.py, tables.py, settings_finding.py, pasted_code.py,
             links.py;
             metrics.py loads the metrics, choices.py makes options of what is chosen,
             session_files.py deletes files when a visitor leaves;
             worker.py and worker_client.py do long work in a process that can be ended
rendering    html_parts.py, arithmetic.py, score_views.py, file_views.py,
             settings_views.py
layout       layout.py, options_panel.py, try_tab.py, file_tab.py, settings_tab.py,
             use_tab.py, events.py, uploads.py, programs.py, style.py, example_texts.py
both         limits.py: how much the page takes, and what it says where it refuses

Handlers and rendering know nothing of Gradio.
"""
