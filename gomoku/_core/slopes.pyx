"""The slopes of the loss of the position score's network: what its fit goes down.

Floor 8. The network in floating point, forwards and backwards, for some positions at a time; csrc/fk_network.h is what
becomes of it. Codes of a position as in features.pyx.
"""

from libc.math cimport exp, fabs, log1p
from libc.string cimport memset

from gomoku._core.types cimport FK_HIDDEN, FK_VIEW, int64_t, uint8_t, uint16_t

cdef enum:
    INPUTS = 2 * FK_VIEW + 1  # both views and the sum of weights


cdef inline void add_view(float *view, const float *own, const float *other) noexcept nogil:
    """Add what two codes of a point give together to a view."""
    cdef int i
    cdef float together
    for i in range(FK_VIEW):
        together = own[i] + other[i]
        view[i] += together if together > 0 else 0


cdef inline void add_view_slopes(const float *slopes, const float *own, const float *other, float *of_own,
                                 float *of_other) noexcept nogil:
    """Hand the slopes by a view down to the numbers of two codes."""
    cdef int i
    cdef float slope
    for i in range(FK_VIEW):
        slope = slopes[i] if own[i] + other[i] > 0 else 0
        of_own[i] += slope
        of_other[i] += slope


def descend(const uint16_t[::1] own, const uint16_t[::1] other, const int64_t[::1] starts, const uint8_t[::1] side,
            const float[:, ::1] logits, const float[::1] target, const int64_t[::1] chosen,
            layers, slopes, float[::1] corrected):
    """Compute corrected logits of positions, their loss, and its slopes by all numbers of the network.

    Args:
        own: shape ``(entries,)``; codes of the points of all positions for the side to move.
        other: the same for the other side.
        starts: shape ``(positions + 1,)``; where the entries of a position begin.
        side: shape ``(positions,)``; the entry of the network's first axis for the side to move.
        logits: shape ``(positions, 2)``; what is to be corrected, in log odds, and what the network is told of it.
        target: shape ``(positions,)``; expected points, 0 to 1.
        chosen: shape ``(count,)``; the positions to look at.
        layers: the arrays ``rows`` of shape ``(sides, CODES, 2, VIEW)``, ``inputs`` ``(sides, 2 * VIEW + 1, HIDDEN)``,
            ``bias`` and ``out`` ``(sides, HIDDEN)``, all ``float32``.
        slopes: arrays of the same shapes, to which the slopes of the summed loss are added; ``None`` for none.
        corrected: shape ``(count,)``; filled with the corrected logits.

    Returns:
        The sum of the cross entropies of target and corrected logits.
    """
    cdef const float[:, :, :, ::1] rows
    cdef const float[:, :, ::1] inputs
    cdef const float[:, ::1] bias, out
    cdef float[:, :, :, ::1] rows_slopes
    cdef float[:, :, ::1] inputs_slopes
    cdef float[:, ::1] bias_slopes, out_slopes
    cdef bint learn = slopes is not None
    rows, inputs, bias, out = layers
    if learn:
        rows_slopes, inputs_slopes, bias_slopes, out_slopes = slopes
    cdef Py_ssize_t number, position, entry
    cdef int mine, foe, i, j
    cdef float views[INPUTS]
    cdef float views_slopes[INPUTS]
    cdef float hidden[FK_HIDDEN]
    cdef float hidden_slopes[FK_HIDDEN]
    cdef float parts[4]
    cdef float error, logit
    cdef double loss = 0
    cdef const float *a
    cdef const float *b
    cdef float *c
    cdef float *d
    with nogil:
        for number in range(chosen.shape[0]):
            position = chosen[number]
            mine = side[position]
            foe = rows.shape[0] - 1 - mine
            memset(views, 0, sizeof(views))
            for entry in range(starts[position], starts[position + 1]):
                a, b = &rows[mine, own[entry], 0, 0], &rows[foe, other[entry], 0, 0]
                add_view(views, a, b + FK_VIEW)
                add_view(views + FK_VIEW, b, a + FK_VIEW)
            views[2 * FK_VIEW] = logits[position, 1]
            for j in range(FK_HIDDEN):
                hidden[j] = bias[mine, j]
            for i in range(INPUTS):
                a = &inputs[mine, i, 0]
                for j in range(FK_HIDDEN):
                    hidden[j] += views[i] * a[j]
            logit = logits[position, 0]
            for j in range(FK_HIDDEN):
                if hidden[j] > 0:
                    logit += hidden[j] * out[mine, j]
            corrected[number] = logit
            error = 1 / (1 + exp(-logit)) - target[position]
            loss += max(logit, 0) + log1p(exp(-fabs(logit))) - target[position] * logit
            if not learn:
                continue
            for j in range(FK_HIDDEN):
                hidden_slopes[j] = 0
                if hidden[j] > 0:
                    hidden_slopes[j] = error * out[mine, j]
                    out_slopes[mine, j] += error * hidden[j]
                    bias_slopes[mine, j] += hidden_slopes[j]
            for i in range(INPUTS):
                a, c = &inputs[mine, i, 0], &inputs_slopes[mine, i, 0]
                memset(parts, 0, sizeof(parts))
                for j in range(FK_HIDDEN):
                    c[j] += views[i] * hidden_slopes[j]
                    parts[j & 3] += a[j] * hidden_slopes[j]
                views_slopes[i] = parts[0] + parts[1] + parts[2] + parts[3]
            for entry in range(starts[position], starts[position + 1]):
                a, b = &rows[mine, own[entry], 0, 0], &rows[foe, other[entry], 0, 0]
                c, d = &rows_slopes[mine, own[entry], 0, 0], &rows_slopes[foe, other[entry], 0, 0]
                add_view_slopes(views_slopes, a, b + FK_VIEW, c, d + FK_VIEW)
                add_view_slopes(views_slopes + FK_VIEW, b, a + FK_VIEW, d, c + FK_VIEW)
    return loss
