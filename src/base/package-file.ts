/** A file of this package. `dist/bundle` is as deep as `dist/base`, so that both find the same file. */
export const packageFile = (path: string): URL => new URL(`../../${path}`, import.meta.url)
