import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Room → rooms it may import. The picture in ARCHITECTURE.md has the same arrows; a new arrow is a decision, made here. */
const ARROWS: Record<string, readonly string[]> = {
  cli: [
    'records',
    'local',
    'explore',
    'runner',
    'data',
    'study',
    'answers',
    'report',
    'client',
    'contract',
    'service',
    'objects',
  ],
  local: ['records', 'runner', 'study', 'answers', 'client', 'contract', 'service', 'objects'],
  explore: ['records', 'runner', 'study', 'answers', 'report', 'client', 'contract', 'generated'],
  runner: ['records', 'data', 'study', 'answers', 'report', 'client', 'contract', 'generated'],
  data: ['study', 'contract', 'formats'],
  report: ['records', 'answers', 'study', 'generated'],
  answers: ['records', 'formats', 'study', 'contract', 'generated'],
  client: ['contract'],
  service: ['contract', 'engine', 'formats', 'objects'],
  contract: [],
  records: ['contract'],
  study: ['generated'],
  engine: [],
  objects: [],
  formats: [],
  generated: [],
}

/** Serves every room and imports none. */
const GROUND = 'base'

/** Only these print or set the exit code of the process; a worker thread's own loop may end its own thread. */
const SPEAKS = new Set(['cli'])

const src = resolve(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file.includes('/'))
  .sort()

const roomOf = (file: string) => file.split('/')[0] as string
const importsOf = (text: string) =>
  [...text.matchAll(/(?:from|import\()\s*'(\.[^']*)'/g)].map((match) => match[1] as string)

const targetsOf = (file: string, text = readFileSync(join(src, file), 'utf8')) =>
  importsOf(text).map((specifier) => relative(src, resolve(src, dirname(file), specifier)))

/** `room ──► others` in the picture of ARCHITECTURE.md; a room without arrow imports none. */
function drawnArrows(): Record<string, string[]> {
  const text = readFileSync(resolve(src, '../ARCHITECTURE.md'), 'utf8')
  const picture = /## The rooms[\s\S]*?```\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  return Object.fromEntries(
    [...picture.matchAll(/^(\w+) +(?:──► ([\w, ]+?))?(?: {2,}|$)/gm)].map(([, room, others]) => [
      room,
      others?.split(', ').sort() ?? [],
    ]),
  )
}

/** Folders that import each other, as `a and b`. A room's own files count as a folder, too. */
function folderPairs(): string[] {
  const edges = new Set(
    files.flatMap((file) => targetsOf(file).map((target) => `${dirname(file)} and ${dirname(target)}`)),
  )
  return [...edges].filter((edge) => {
    const [from, to] = edge.split(' and ') as [string, string]
    return from < to && edges.has(`${to} and ${from}`)
  })
}

/** The first circle of imports that a walk meets; empty: there is none. */
function circleIn(from: readonly string[]): string[] {
  const done = new Set<string>()
  const walk = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return []
    for (const target of files.includes(file) ? targetsOf(file) : []) {
      const circle = walk(target, [...path, file])
      if (circle.length > 0) return circle
    }
    done.add(file)
    return []
  }
  for (const file of from) {
    const circle = walk(file, [])
    if (circle.length > 0) return circle
  }
  return []
}

/**
 * Circles of sibling folders, rooms among them: every folder with the imports of all that lies in it. Files that lie in the
 * parent folder wire its sub-folders together and do not count.
 */
function folderCircles(): string[] {
  const arrows = new Map<string, Map<string, string>>()
  for (const file of files) {
    for (const target of targetsOf(file)) {
      const [a, b] = [file.split('/'), target.split('/')]
      const fork = a.findIndex((part, i) => part !== b[i])
      // Both must lie in sub-folders where their paths part.
      if (fork >= a.length - 1 || fork >= b.length - 1) continue
      const [from, to] = [a.slice(0, fork + 1).join('/'), b.slice(0, fork + 1).join('/')]
      const targets = arrows.get(from) ?? new Map<string, string>()
      arrows.set(from, targets.set(to, `${file} imports ${target}`))
    }
  }
  const circles: string[] = []
  const done = new Set<string>()
  const walk = (folder: string, path: readonly string[]): void => {
    const start = path.indexOf(folder)
    if (start >= 0) {
      const circle = [...path.slice(start), folder]
      const imports = circle.slice(1).map((to, i) => arrows.get(circle[i] as string)?.get(to))
      circles.push(`${circle.join(' → ')}: ${imports.join('; ')}`)
      return
    }
    if (done.has(folder)) return
    for (const to of arrows.get(folder)?.keys() ?? []) walk(to, [...path, folder])
    done.add(folder)
  }
  for (const folder of arrows.keys()) walk(folder, [])
  return circles
}

describe('the rooms of src', () => {
  it('are those of the picture', () => {
    expect([...new Set(files.map(roomOf))].sort()).toEqual([...Object.keys(ARROWS), GROUND].sort())
  })

  it('are drawn with their arrows in ARCHITECTURE.md', () => {
    const { [GROUND]: ground, ...drawn } = drawnArrows()
    const arrows = Object.entries(ARROWS).map(([room, others]) => [room, [...others].sort()])
    expect(ground).toEqual([])
    expect(drawn).toEqual(Object.fromEntries(arrows))
  })

  it('import along the arrows only', () => {
    const offences = files.flatMap((file) =>
      targetsOf(file)
        .filter((target) => ![roomOf(file), GROUND, ...(ARROWS[roomOf(file)] ?? [])].includes(roomOf(target)))
        .map((target) => `${file} imports ${target}`),
    )
    expect(offences).toEqual([])
  })

  it('hold no file that imports itself through others, types included', () => {
    expect(circleIn(files)).toEqual([])
  })

  it('hold no two folders that import each other', () => {
    expect(folderPairs()).toEqual([])
  })

  it('hold no sibling folders that import each other through others', () => {
    expect(folderCircles()).toEqual([])
  })

  it('take types from records, and values late, so that no command loads zod when it starts', () => {
    const offences = files.filter((file) => {
      const text = readFileSync(join(src, file), 'utf8').replace(/^(?:import|export) type [^']*|await import\(/gm, '')
      return roomOf(file) !== 'records' && targetsOf(file, text).some((target) => roomOf(target) === 'records')
    })
    expect(offences).toEqual([])
  })

  it('leave printing and exit codes to the command line', () => {
    const offences = files.filter(
      (file) =>
        !SPEAKS.has(roomOf(file)) &&
        /\bconsole\.|process\.exit\b|process\.exitCode|process\.stdout/.test(readFileSync(join(src, file), 'utf8')),
    )
    expect(offences).toEqual([])
  })

  it('hold files of one subject, at most 350 lines each', () => {
    const long = files.filter(
      (file) => roomOf(file) !== 'generated' && readFileSync(join(src, file), 'utf8').split('\n').length > 350,
    )
    expect(long).toEqual([])
  })
})
