"""Line shapes from their definition, and the tables of each rule.

Floor 1. `rule_tables(rule)` builds a rule's tables at the first call (milliseconds) and returns the same pointer ever
after. The weights in them come from `evaluate.pyx`, which fills them once per rule.

Shapes and point classes are drawn in csrc/fk_types.h.
"""

from gomoku._core.types cimport fk_rule, uint8_t, uint16_t, uint32_t

# One order of the four shapes of each code: the ascending one.
cdef const uint16_t *code_shapes

# Pointer to the tables of a protocol rule number, NULL when memory is short. Needs the GIL: it may build them.
cdef fk_rule *rule_tables(int rule) except NULL

# The class of a point for the side with colour index `side` whose four line shapes are packed in `shapes`.
cdef int point_class_of(int rule, int side, int shapes) noexcept nogil
