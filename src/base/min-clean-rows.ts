/** Fewer rows than this, after cleaning, are not enough to learn from. */
export const MIN_CLEAN_ROWS = 50
