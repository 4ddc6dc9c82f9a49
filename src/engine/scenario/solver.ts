/** The HiGHS solver, compiled to WebAssembly: single-threaded, and the same arithmetic on every machine. */
import type { Highs } from 'highs'

let loading: Promise<Highs> | undefined

/** Loads it once per process, on first need: most scenarios are settled by proportional fitting alone. */
export function loadSolver(): Promise<Highs> {
  loading ??= import('highs').then((module) => {
    // The package's types describe its CommonJS build; an import gets the ES module, whose default is the loader itself.
    const load = module.default as unknown as typeof module.default.default
    return load()
  })
  return loading
}
