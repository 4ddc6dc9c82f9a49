import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
// @ts-expect-error plain JavaScript, run by people with node alone
import { makeTracker } from '../examples/coffee/make-tracker.js'
import { loadStudy } from '../src/study/load/load-study.ts'
import { formatStudy } from '../src/study/writing/format-study.ts'

const coffee = resolve(import.meta.dirname, '../examples/coffee')

describe('the coffee example', () => {
  it('ships the file that its generator makes', () => {
    expect(makeTracker() === readFileSync(join(coffee, 'tracker.csv'), 'utf8')).toBe(true)
  })

  it.each(['coffee.study.yaml', 'minimal.study.yaml'])('%s is a valid study without remarks', (name) => {
    const { study, diagnostics } = loadStudy(readFileSync(join(coffee, name), 'utf8'), { filename: name })
    expect(diagnostics).toEqual([])
    expect(study?.scenarios.length).toBeGreaterThan(0)
  })

  it.each(['coffee.study.yaml', 'minimal.study.yaml', 'questions.study.yaml'])(
    '%s has the form that whatif fmt gives it',
    (name) => {
      const text = readFileSync(join(coffee, name), 'utf8')
      expect(formatStudy(text, { filename: name })).toEqual({ kind: 'formatted', text })
    },
  )
})

describe('the workflow for GitHub', () => {
  it('names actions by commit, which cannot be moved as a tag can, with the version in a comment', () => {
    const text = readFileSync(resolve(coffee, '../ci/github-workflow.yml'), 'utf8')
    const used = text.split('\n').filter((line) => /\buses:/.test(line))
    expect(used.length).toBeGreaterThan(0)
    for (const line of used) expect(line).toMatch(/uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })
})
