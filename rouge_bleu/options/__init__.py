"""What both metrics do with options: check them, and write them into a signature.

An option that one metric alone has belongs to the options of that metric; here it is only
named, for errors that say where it belongs. May import `ground`, `text`, `data` and
`resampling`.
"""
