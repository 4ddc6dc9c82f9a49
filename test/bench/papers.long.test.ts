import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { paperTable } from '../../bench/paper-metrics.js'
import { benchCommand, benchFolder, canScore, sharedBench, testUsageFaults } from './bench-command.ts'

const run = benchCommand('papers.js')
const scores = await canScore(sharedBench('paper/run.py'), ['pandas', 'scipy', 'sklearn', 'xgboost'])

describe('the table next to published figures', () => {
  const { path, at } = benchFolder()

  beforeAll(async () => {
    await mkdir(at('data'))
    const rows = Array.from({ length: 400 }, (_, i) => {
      const length = (i * i * 7) % 41
      return `${length}.5,${(length * 3 + (i % 7)) / 10},${length % 2 || i % 9 === 0 ? 'g' : 'h'}`
    })
    // The papers lose the first row to a header.
    await writeFile(at('data/magic.csv'), `${['length,width,class', ...rows].join('\n')}\n`)
  })

  testUsageFaults(run, 'npm run -s bench:papers -- [--bench ../shared/bench/paper]', [
    { args: ['--bench', '.'], message: '--bench must name a folder with run.py, found none in' },
    { args: ['--data', 'nowhere'], message: '--data must name a folder, found none at' },
    { args: ['--seeds', '0'], message: '--seeds must be a whole number of at least 1' },
    { args: ['--datasets', 'magic,tragic'], message: 'no dataset is called tragic; there are adult, default, magic' },
    { args: ['--frobnicate'], message: "Unknown option '--frobnicate'" },
  ])

  it('compares the mean of the runs with the limits and with the rounded published figures', () => {
    const published = {
      datasets: ['adult', 'default', 'magic', 'beijing'],
      shape: { TabDiff: { verified: [0.63, 1.24, 0.78, 1.03], memory: [] } },
      trend: { TabDiff: { verified: [1.49, 2.55, 0.76, 2.59], memory: [] } },
      mle: { TabDiff: { verified: [0.912, 0.763, 0.936, 0.555], memory: [] } },
      dcr: { TabDiff: { verified: [], memory: [0.501, 0.511, null, 0.505] } },
    }
    const scored = { shape: 0.5, trend: 1, mle: 0.7625, c2st_boosted_test: 0.56, time: { fit_cpu: 2 } }
    const again = { ...scored, trend: 5, mle: 0.7627 }
    const { rows } = paperTable({ name: 'default', record: { 1: scored, 2: again, dcr: [0.57, 0.55] }, published })
    const facts = rows.map(({ title, ours, others, target }) => [title, ours, others.TabDiff, target?.isMet ?? null])
    expect(facts).toEqual([
      ['shape error %', 0.5, 1.24, true],
      ['trend error %', 3, 2.55, false],
      ['trend error %, bins at the real edges', null, null, null],
      ['MLE, AUC', expect.closeTo(0.7626), 0.763, true],
      ['boosting AUC against test rows', 0.56, null, false],
      ['DCR share (recalled)', 0.57, 0.511, false],
      ['training, processor s', 2, null, true],
      ['whole process, processor s', null, null, null],
    ])
  })

  describe.skipIf(!scores)('with the shared bench and its scoring tools', () => {
    it('shows measured and published figures, and a line for each limit that is missed', async () => {
      const args = ['--data', at('data'), '--datasets', 'magic', '--seeds', '2', '--json', at('table.json')]
      const { code, stdout, stderr } = await run(args)
      expect(stderr).toMatch(/^magic: scored after \d+ s\n$/)
      expect(code).toBe(0)
      expect(await readdir(path())).toEqual(['data', 'table.json'])
      expect(stdout).toContain(
        'mean of 2 seeds ± standard deviation (DCR: one), trained, sampled and scored in this run',
      )
      expect(stdout).toContain('TabDiff, TabSyn and TabDDPM: published figures, not measured here.')
      const row = (title: string) => stdout.split('\n').find((line) => line.startsWith(`| ${title} |`)) ?? ''
      expect(row('shape error %')).toMatch(
        /^\| shape error % \| \d+\.\d\d ± \d+\.\d\d \| 0\.78 \| 1\.03 \| 1\.01 \| ≤ 0\.78/,
      )
      expect(row('trend error %')).toMatch(/\*\*NO\*\* \|$/)
      expect(stdout).toMatch(/^- magic, trend error %: \d+\.\d{3}, to reach ≤ 0\.76 \(TabDiff\)$/m)
      // The JSON has the figures of the table unrounded.
      const { tables } = JSON.parse(await readFile(at('table.json'), 'utf8'))
      expect(row('shape error %')).toContain(` ${tables[0].rows[0].ours.toFixed(2)} ± `)
    })

    it('names the table that failed, and exits with 1', async () => {
      const { code, stdout, stderr } = await run(['--data', at('data'), '--datasets', 'adult', '--seeds', '1'])
      expect(stderr).toMatch(/^adult: FAILED after \d+ s\n$/)
      expect(stdout).toContain('- adult: /usr/bin/python3')
      expect(code).toBe(1)
    })
  })
})
