/**
 * Limits on the texts of a model. Everyone who requests a dataset reads the cleaned schema whole: unbounded texts would
 * turn a file of kilobytes into an answer of a gigabyte. Sizes are bytes of UTF-8.
 */

/** Longest header of a column. */
export const MAX_NAME_BYTES = 1024
/** Longest level; longer texts are free text. */
export const MAX_LEVEL_BYTES = 1024
/** Largest cleaned schema, all entries together, as JSON. */
export const MAX_SCHEMA_BYTES = 4 * 1024 * 1024
