// Run by `npm run build` before the compiler: makes the validators of schemas/ by Ajv, in src/generated, which git ignores.
// Compiling a schema and loading its compiler would take longer than the whole rest of `whatif validate`.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'

/**
 * `names` are the functions and the part of the schema each of them checks.
 *
 * @type {{ schema: string, into: string, names: Record<string, string>, options: import('ajv').Options }[]}
 */
const VALIDATORS = [
  {
    schema: 'study.v1.json',
    into: 'study-shape-validator.ts',
    names: { validateStudy: '', validateFields: '#/definitions/fields' },
    // Every fault of a study is reported at once.
    options: { allErrors: true, allowUnionTypes: true, strictRequired: false, strictTypes: false },
  },
  {
    schema: 'plan.v1.json',
    into: 'plan-shape-validator.ts',
    names: { validatePlan: '' },
    // The first fault is reported, in the words of its part of the schema; a hostile file must not produce a list of
    // millions.
    options: { allowUnionTypes: true, verbose: true },
  },
  {
    schema: 'manifest.v1.json',
    into: 'manifest-shape-validator.ts',
    names: { validateManifest: '' },
    // The first fault is reported, as above. Times are printed and never read.
    options: { strictTypes: false, validateFormats: false },
  },
]

/** Ajv's own function for the length of text in code points, the only thing that its code would load. */
const CODE_POINTS = 'const codePoints = (text) => { let count = 0; for (const _ of text) count++; return count }\n'

mkdirSync(pathOf('src/generated'), { recursive: true })
for (const { schema, into, names, options } of VALIDATORS) {
  const header = `// Made from schemas/${schema} by scripts/write-validators.js.\n// @ts-nocheck\n`
  replaceIfOther(
    pathOf(`src/generated/${into}`),
    header + code(JSON.parse(readFileSync(pathOf(`schemas/${schema}`), 'utf8'))),
  )

  /** @param {{ $id?: string }} parsed */
  function code(parsed) {
    const $id = parsed.$id ?? schema
    const ajv = new Ajv({ strict: true, code: { source: true, esm: true, lines: true }, ...options })
    ajv.addSchema({ ...parsed, $id })
    const functions = Object.fromEntries(Object.entries(names).map(([name, part]) => [name, `${$id}${part}`]))
    const made = standalone
      .default(ajv, functions)
      .replace(/^"use strict";\n?/, '')
      .replace(/require\("ajv\/dist\/runtime\/ucs2length"\)\.default/g, 'codePoints')
    const loaded = made.match(/\brequire\([^)]*\)|^import .*/m)
    if (loaded) throw new Error(`the validator of ${schema} would load ${loaded[0]}`)
    return made.includes('codePoints(') || made.includes('= codePoints') ? CODE_POINTS + made : made
  }
}

/** As a whole and only where it differs: two builds may run at once, and editors need not read again. */
function replaceIfOther(/** @type {string} */ path, /** @type {string} */ text) {
  try {
    if (readFileSync(path, 'utf8') === text) return
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error
  }
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, text)
  renameSync(draft, path)
}

/** @param {string} path */
function pathOf(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url))
}
