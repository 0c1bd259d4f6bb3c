# Lanes and their copies outside the vectors, declared once for the search and for the ratings.
#
# A frame is a puzzle apart from the lanes: FRAME words, in the order of the thirds of its boxes (`cell_place`).

from libc.stdint cimport uint8_t, uint16_t, uint32_t

cdef extern from "lanes/lanes.h" nogil:
    enum:
        LANES
        ALL_LANES
        FRAME
        THIRD

    int cell_place(int cell)
    void frames_prepare()
    void frame_read(const uint8_t* text, uint8_t zero, uint16_t* frame)
    void frame_write(const uint16_t* frame, uint8_t zero, uint8_t* text)
