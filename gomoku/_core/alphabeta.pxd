"""Alpha-beta search: one worker's state and the search of a node.

Floor 7. Scores are integers for the side to move. A win in n plies from the node is `MATE - n`; heuristic scores stay
within +-6000, far from `MATE_BAND`. Table entries hold distances from their own node.
"""

from gomoku._core.movepick cimport fk_history
from gomoku._core.threats cimport fk_solver
from gomoku._core.types cimport fk_constants, fk_position, fk_stop, fk_tt, int16_t, int64_t

cdef enum:
    MAX_PLY = 200        # deepest node of the main search
    MATE = 30000         # gomoku.info.MATE_SCORE
    MATE_BAND = 29500    # gomoku.info.MATE_BAND
    INFINITE = 32000


ctypedef struct fk_root_move:
    int move
    int score
    int previous          # score of the last finished iteration
    int length            # of pv
    int16_t pv[200]


ctypedef struct fk_worker:
    fk_position *pos
    fk_tt *tt
    fk_stop *stop
    fk_solver *solver
    fk_constants constants
    fk_history history
    int reductions[64][64]    # [depth][move number], in parts of a ply
    int late_moves[2][64]     # [whether the position gets worse][depth]: moves of a node that are searched at all
    int64_t nodes
    int64_t node_limit
    int64_t next_check
    int seldepth
    bint aborted
    int killers[204][2]
    int excluded[204]         # by ply: the move that a singular search leaves out
    int evals[204]
    int pv_length[204]
    int16_t pv[204][204]
    int root_count
    fk_root_move root[484]


# Value of the node within alpha and beta (fail-soft), `ply` plies below the root; 0 without meaning once `aborted` is
# set. `cut_node`: whether it is expected to fail high.
cdef int search(fk_worker *w, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil

# Plies by which the root's move of that rank is searched less deep at first.
cdef int root_reduction(const fk_worker *w, int depth, int number) noexcept nogil

# Search with these constants from now on.
cdef void set_constants(fk_worker *w, const fk_constants *constants) noexcept nogil
