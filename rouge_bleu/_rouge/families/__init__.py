"""The families of rouge types: a file for each, with its functions and its record.

`table` lists the records. May import `rouge.measures`, `spans`, `kernels` and `ground`;
families see pairs through the protocols of `measures/views.py`.
"""
