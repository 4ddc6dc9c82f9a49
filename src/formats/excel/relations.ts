import { xmlAttributes } from './xml-attributes.ts'

/** A relation of a part of a workbook to another part (ECMA-376, part 2, 9.3). */
export interface Relation {
  readonly id: string
  /** Last word of the type's address; strict and transitional files share it. */
  readonly type: string
  readonly path: string
}

/** The name of the part that holds the relations of a part. */
export function relationsPath(part: string): string {
  const file = part.slice(part.lastIndexOf('/') + 1)
  return `${part.slice(0, part.length - file.length)}_rels/${file}.rels`
}

/** @param folder of the part whose relations these are. */
export function relations(xml: string, folder: string): Relation[] {
  return [...xml.matchAll(/<(?:[\w.-]+:)?Relationship\s([^<>]*)>/g)].map((match) => {
    const found = xmlAttributes(match[1]!)
    return {
      id: found.get('Id') ?? '',
      type: (found.get('Type') ?? '').replace(/^.*\//, ''),
      path: resolved(folder, found.get('Target') ?? ''),
    }
  })
}

function resolved(folder: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const path = folder.split('/').filter((step) => step !== '')
  for (const step of target.split('/')) {
    if (step === '..') path.pop()
    else if (step !== '.' && step !== '') path.push(step)
  }
  return path.join('/')
}
