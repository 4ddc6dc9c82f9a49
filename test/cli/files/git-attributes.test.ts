import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepLineEnds } from '../../../src/cli/files/git-attributes.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'whatif-attributes-'))
  execFileSync('git', ['init', '--quiet'], { cwd: root })
})
afterEach(() => rmSync(root, { recursive: true }))

const attribute = (path: string) =>
  execFileSync('git', ['check-attr', '-z', 'text', '--', path], { cwd: root, encoding: 'utf8' }).split('\0')[2]
const keep = (seed: string | null) => keepLineEnds(root, seed === null ? null : join(root, seed))

describe('.gitattributes of a new study', () => {
  it.each(['panel.csv', 'data/wave 1 [new], "Köln".tsv', 'data/#1!.txt'])(
    'keeps git from the line ends of %s, and of no other file',
    async (seed) => {
      await keep(seed)
      expect([seed, 'other.csv', `more/${seed}`].map(attribute)).toEqual(['unset', 'unspecified', 'unspecified'])
    },
  )

  it.each([null, 'panel.xlsx', 'panel.sav'])('names studies and locks alone beside the seed file %s', async (seed) => {
    await keep(seed)
    expect(readFileSync(join(root, '.gitattributes'), 'utf8')).toBe(
      '*.study.yaml text eol=lf\n*.study.lock.json text eol=lf\n',
    )
  })

  it.each([
    ['*.csv -text', []],
    ['/panel.csv -text', []],
    ['* -text', []],
    ['*.tsv -text', ['/panel.csv -text']],
  ])('that says "%s" lacks %j', async (there, lacks) => {
    writeFileSync(join(root, '.gitattributes'), `*.study.yaml text eol=lf\n*.study.lock.json text eol=lf\n${there}\n`)
    expect(await keep('panel.csv')).toEqual({ written: null, toAdd: lacks })
  })
})
