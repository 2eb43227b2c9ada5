"""What stands behind `stage.py`: one file per metric, checked and put in its place."""
