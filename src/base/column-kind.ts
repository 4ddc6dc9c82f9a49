/** The kinds of columns of a cleaned schema. `unknown`: the service does not report it; checks that depend on it are skipped. */
export type ColumnKind = 'categorical' | 'numeric' | 'unknown'
