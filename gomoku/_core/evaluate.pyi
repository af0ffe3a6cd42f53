MAGIC: bytes
HIDDEN: int
NETWORK_COUNTS: int
NETWORK_LIMIT: int

def use_weights(data: bytes) -> int: ...
