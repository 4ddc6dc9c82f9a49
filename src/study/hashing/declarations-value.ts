import { type CanonicalValue, canonicalJson } from '../../base/canonical-json.ts'
import { sha256Hex } from '../../base/sha256.ts'
import type { Declarations, DeclaredDesign } from '../declarations.ts'

/** Declarations in the study's words, with columns as keys of `Map`s, because a column may have any name. */
export function declarationsValue(declarations: Declarations): { [key: string]: CanonicalValue | undefined } {
  const { weight, design, drop, columns, recode, missing, types, levels, bands, nets, nps } = declarations
  const { scores, differences, rules } = declarations
  const { sheet, headerRows, encoding, decimal, multiple, fillDown, dates } = declarations
  return {
    weight,
    design: design && designValue(design),
    // The sequence of names, and of codes for missing values, has no meaning; that of levels is their order.
    drop: drop && [...drop].sort(),
    columns: mapOf(columns, (name) => name),
    recode: mapOf(recode, (words) => new Map(Object.entries(words))),
    missing: mapOf(missing, (values) => [...values].sort(byText)),
    types: mapOf(types, (type) => type),
    levels: mapOf(levels, (names) => names),
    bands: mapOf(bands, ({ of, at }) => ({ of, at })),
    nets: mapOf(nets, ({ of, levels }) => ({ of, levels: [...levels].sort() })),
    nps: nps && [...nps].sort(),
    // A mean does not depend on the sequence of its items; a difference does.
    scores: mapOf(scores, ({ mean, minAnswered }) => ({ mean: [...mean].sort(), min_answered: minAnswered })),
    differences: mapOf(differences, (columns) => [...columns]),
    // All of them hold, in whatever sequence.
    rules: rules?.map(({ text }) => text).sort(),
    sheet,
    header_rows: headerRows,
    encoding,
    decimal: typeof decimal === 'object' ? mapOf(decimal, (mark) => mark) : decimal,
    multiple: mapOf(multiple, (separator) => separator),
    fill_down: fillDown && [...fillDown].sort(),
    dates: mapOf(dates, (format) => format),
  }
}

/** A design in the study's words. They are also what is sent to the service, which confirms them. */
export function designValue({ strata, clusters, replicateWeights }: DeclaredDesign) {
  return { strata, clusters, replicate_weights: replicateWeights && { ...replicateWeights } }
}

/** What an upload says beside the declared file, as it is sent; undefined: not sent. */
export function sentDeclarations(declarations: Declarations | null | undefined): {
  readonly weightColumn: string | undefined
  /** JSON. */
  readonly design: string | undefined
} {
  const design = declarations?.design
  return { weightColumn: declarations?.weight, design: design && canonicalJson(designValue(design)) }
}

/** Identifies declarations: 64 lower-case hexadecimal digits; null when there are none. */
export function declarationsDigest(declarations: Declarations | undefined): string | null {
  if (declarations === undefined) return null
  return sha256Hex(canonicalJson({ v: 1, kind: 'declarations', declarations: declarationsValue(declarations) }))
}

function mapOf<V>(
  record: Readonly<Record<string, V>> | undefined,
  convert: (value: V) => CanonicalValue,
): ReadonlyMap<string, CanonicalValue> | undefined {
  return record && new Map(Object.entries(record).map(([name, value]) => [name, convert(value)]))
}

/** The number 98 and the text "98" are two values, and sort as such. */
function byText(a: string | number, b: string | number): number {
  const [x, y] = [JSON.stringify(a), JSON.stringify(b)]
  return x < y ? -1 : x > y ? 1 : 0
}
