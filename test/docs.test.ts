import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { program } from '../src/cli/main.ts'

const root = resolve(import.meta.dirname, '..')
const pages = ['.', 'docs', 'deploy'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
)
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')
/** Text about earlier versions is not checked. */
const current = pages.filter((page) => page !== 'CHANGELOG.md')

/** The anchors that its headings have on git hosts. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

describe.each(pages)('%s', (page) => {
  it('links to existing files and headings', () => {
    const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
    for (const link of links.filter((target) => !/^https?:/.test(target))) {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : join(dirname(page), path)
      expect(existsSync(join(root, target)), link).toBe(true)
      if (anchor !== undefined) expect(anchorsOf(textOf(target)), link).toContain(anchor)
    }
  })
})

describe.each(['ARCHITECTURE.md', 'docs/engine.md', 'docs/inside-the-service.md'])('%s', (page) => {
  it('names existing files, from the root, from a room or from a folder of a room', () => {
    const there = ['bin', 'src', 'test', 'bench', 'scripts'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    const named = [...textOf(page).matchAll(/`([\w/-]+\.(?:ts|js))`/g)].map(([, path]) => path!)
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((path) => !there.some((file) => file === path || file.endsWith(`/${path}`)))).toEqual([])
  })
})

describe('docs/dependencies.md', () => {
  it('has a row for every package that is installed with whatif, and for no other', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object }
    const [, installed = ''] = /^## What is installed\n(.*?)^## /ms.exec(textOf('docs/dependencies.md')) ?? []
    const rows = [...installed.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name!)
    expect(rows).toEqual(Object.keys(dependencies))
  })
})

describe.each(current)('%s', (page) => {
  it('names existing scripts and commands', async () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
    const text = textOf(page)
    const fences = /^```.*\n([\s\S]*?)^```$/gm
    const blocks = [...text.matchAll(fences)].flatMap(([, block]) => block!.split('\n'))
    const spans = [...text.replaceAll(fences, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!)
    const code = [...blocks, ...spans]
    const named = (pattern: RegExp) => code.flatMap((line) => pattern.exec(line)?.[1] ?? [])
    for (const script of named(/^npm run (?:-s )?([\w:]+)/)) expect(Object.keys(scripts), script).toContain(script)
    const whatif = await program({})
    for (const words of named(/^(?:npx )?whatif ((?:[a-z][a-z-]*\b ?)+)/)) {
      const [command, sub] = words.trim().split(' ')
      const found = namedIn(whatif, command)
      expect(found, `whatif ${words}`).toBeDefined()
      if (found!.commands.length > 0 && sub !== undefined) expect(namedIn(found!, sub), `whatif ${words}`).toBeDefined()
    }
  })
})

function namedIn(command: Command, name: string | undefined): Command | undefined {
  return command.commands.find((sub) => sub.name() === name)
}
