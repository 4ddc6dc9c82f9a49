/** Most segments of a comparison: levels of the column that divides it. More are no segments but a second outcome. */
export const MAX_SEGMENTS = 50

/** Most groups of a backtest: each is asked about three times. */
export const MAX_BACKTEST_GROUPS = 200
