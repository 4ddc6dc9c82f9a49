/** The beginning of a page, which identifies it. Alone in its file, so that a run knows it before it loads the page. */
export const HTML_MARK = '<!doctype html>\n<!-- whatif report'
