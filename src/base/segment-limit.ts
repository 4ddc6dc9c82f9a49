/** Most segments of a comparison: levels of the column that divides it. More are no segments but a second outcome. */
export const MAX_SEGMENTS = 50
