# Compiled functions only; nothing here is called from Python.
