/**
 * How large the texts of a model may be. What they make up, the cleaned schema above all, is read whole by everyone who asks
 * about a dataset: texts without a bound make an answer of a gigabyte from a file of kilobytes. Sizes are bytes of UTF-8.
 */
/** Longest header of a column. */
export const MAX_NAME_BYTES = 1024
/** Longest level; what is longer is no answer to choose but free text. */
export const MAX_LEVEL_BYTES = 1024
/** Largest cleaned schema, all entries together, as JSON. */
export const MAX_SCHEMA_BYTES = 4 * 1024 * 1024
