"""What all conventions share: the way from texts to a result, and to an explanation.

`convention` is the record that says what each does otherwise; the functions here take
it as an argument. May import `rouge.options`, `rouge.families`, `rouge.measures` and
what stands below `rouge`.
"""
