import { isAbsolute, relative, sep } from 'node:path'

/** `path` relative to `from`, with `/` on every platform: the form of paths in files. */
export function portablePath(from: string, path: string): string {
  return relative(from, path).split(sep).join('/')
}

/** True when `path` is `folder` or lies in it; both absolute and without links. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`))
}
