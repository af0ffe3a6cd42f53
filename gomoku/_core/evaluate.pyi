MAGIC: bytes
HIDDEN: int
VIEW: int
NETWORK_LIMIT: int

def use_weights(data: bytes) -> int: ...
