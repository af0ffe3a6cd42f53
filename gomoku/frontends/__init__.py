"""Where the outside world begins: standard input and output, sockets, processes, files."""
