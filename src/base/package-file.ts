/** A file of this package. `dist/bundle` lies as deep as `dist/base`, so that both find the same one. */
export const packageFile = (path: string): URL => new URL(`../../${path}`, import.meta.url)
