import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { benchCommand, benchFolder, canScore, sharedBench, testUsageFaults } from './bench-command.ts'

const PROGRAMS = ['run_all.py', 'engine_bench.py', 'run_baseline.py']

const run = benchCommand('peers.js')
const scores = await canScore(sharedBench('run_all.py'), ['pandas', 'scipy', 'sklearn'])

/** A peer as its file has it: far behind in some rows, out of reach in others. */
const PEER = {
  report: { fit_seconds: 100, sample_seconds: 20, fit_cpu_seconds: 90, scenarios: { hard: { seconds: 1e-6 } } },
  score: {
    vs_train: { quality: 2, pair_trends_strong_only: 0, pair_tvd_score: 0 },
    triples: { mean_tvd: 0.9 },
    c2st: { auc: 0.9 },
    tstr: { ratio: 0.5 },
    privacy: { exact_copy_share: 0.5, dcr_share_nearer_train: 0.99 },
  },
  scenarios: { hard: { max_share_error: 0.5, rows_delivered: 10, conditional: { shape: 2, pair_tvd_score: 0 } } },
}

describe('the table next to the peers', () => {
  const { path, at } = benchFolder()

  beforeAll(async () => {
    await mkdir(at('bench/scenarios'), { recursive: true })
    await mkdir(at('data'))
    for (const program of PROGRAMS) {
      if (scores) await symlink(sharedBench(program), at(`bench/${program}`))
      else await writeFile(at(`bench/${program}`), '')
    }
    const tiny = { path: 'data/tiny.csv', target: 'drink', drop: [] }
    await writeFile(at('bench/datasets.json'), JSON.stringify({ tiny }))
    const rows = Array.from({ length: 500 }, (_, i) => {
      const cups = (i * i * 7) % 41
      return `${cups % 2 || i % 9 === 0 ? 'tea' : 'mate'},${cups},${(cups * 1.5 + (i % 7)).toFixed(1)}`
    })
    await writeFile(at('data/tiny.csv'), `${['drink,cups,cost', ...rows].join('\n')}\n`)
    const scenario = (row_count: number) => ({
      row_count,
      conditions: { categorical: { drink: { tea: 0.25, mate: 0.75 } }, numeric: { cups: { min: 5, max: 35 } } },
    })
    // A quarter of 101 is no whole number of rows.
    const scenarios = { easy: scenario(100), hard: scenario(101) }
    await writeFile(at('bench/scenarios/tiny.json'), JSON.stringify({ dataset: 'tiny', scenarios }))
    const peers = { tiny: { synthpop_cart: PEER, tvae: { process: { rc: 1 } } } }
    await writeFile(at('bench/peers.json'), JSON.stringify(peers))
  })

  testUsageFaults(
    (args) => run(args.map((word) => (word === 'BENCH' ? at('bench') : word))),
    'npm run -s bench:peers -- [--bench ../shared/bench]',
    [
      { args: ['--bench', '.'], message: '--bench must name a folder with run_all.py, found none in' },
      { args: ['--bench', 'BENCH', '--seeds', '0'], message: '--seeds must be a whole number of at least 1' },
      { args: ['--bench', 'BENCH', '--engine', 'x'], message: '--engine must be name=COMMAND, found "x"' },
      { args: ['--frobnicate'], message: "Unknown option '--frobnicate'" },
    ],
  )

  describe.skipIf(!scores)('with the shared bench and its scoring tools', () => {
    it('shows our measured figures, those of the peers, and for each row the targets that are met', async () => {
      const failing = `${process.execPath} -e "process.exit(3)" --`
      const { code, stdout, stderr } = await run(
        [
          '--bench',
          at('bench'),
          '--datasets',
          'tiny',
          '--seeds',
          '2',
          '--threads',
          '1',
          '--json',
          at('table.json'),
        ].concat('--engine', `failing=${failing}`),
      )
      expect(stderr).toMatch(/^tiny, whatif-1: scored after \d+ s\ntiny, whatif-2: scored/)
      expect(stderr).toContain('tiny, failing: FAILED')
      expect(code).toBe(0)
      expect(await readdir(path())).toEqual(['bench', 'data', 'table.json'])

      expect(stdout).toContain('mean of 2 seeds ± standard deviation, trained, sampled and scored in this run')
      expect(stdout).toContain(
        "Read from the bench's peers.json, measured elsewhere on this kind of machine and not in this run: synthpop_cart, tvae.",
      )
      expect(stdout).toContain('- tiny: failing: ended with 3;')
      const lines = stdout.split('\n').map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
      const head = lines.find((cells) => cells[1] === 'whatif')
      expect(head?.slice(1)).toEqual([
        'whatif',
        'synthpop_cart',
        'tvae',
        'failing',
        'train_copy',
        'independent',
        'to reach',
        'reached',
      ])
      expect(lines.find(([first]) => first === '**tiny**')).toEqual([
        '**tiny**',
        '',
        '',
        '',
        'this run',
        'this run',
        'this run',
        '',
        '',
      ])
      const row = (title: string) => lines.find(([first]) => first === title) ?? []

      expect(row('quality')).toEqual([
        'quality',
        expect.stringMatching(/^0\.\d{3} ± 0\.\d{3}$/),
        '2.000',
        '',
        '',
        '1.000',
        expect.any(String),
        '≥ 2.000 (synthpop_cart)',
        'no (an aim)',
      ])
      expect(row('3-way TVD').slice(-2)).toEqual(['< 0.9000 (synthpop_cart)', 'yes'])
      expect(row('fit + sample s').slice(-2)).toEqual(['< 120.00 (synthpop_cart)', 'yes'])
      expect(row('DCR nearer train').slice(-2)).toEqual(['nearer than 0.990 (synthpop_cart)', 'yes'])
      expect(row('easy: rows off a share').slice(-2)).toEqual(['0', 'yes'])
      expect(row('hard: rows off a share').slice(-2)).toEqual(['< 1', 'yes'])
      expect(row('hard: rows off a share')[1]).toMatch(/^0\.[1-9]/)
      expect(row('easy: cond. shape').at(-2)).toMatch(/^≥ 0\.\d{3} \(real half\/half\)$/)
      expect(row('hard: cond. shape').slice(-2)).toEqual(['≥ 2.000 (synthpop_cart on a raked pool)', '**NO**'])
      expect(row('hard: s').slice(-2)).toEqual(['< 0.00 (synthpop_cart)', '**NO**'])
      expect(stdout).toMatch(/^- tiny, hard: cond\. shape: 0\.\d{4}, to reach ≥ 2\.000/m)

      // The JSON has the figures of the table unrounded.
      const { tables } = JSON.parse(await readFile(at('table.json'), 'utf8'))
      const quality = tables[0].rows.find(({ title }: { title: string }) => title === 'quality')
      expect(row('quality')[1]).toBe(`${quality.ours.toFixed(3)} ± ${quality.spread.toFixed(3)}`)
      expect(quality.others).toMatchObject({ synthpop_cart: 2, tvae: null, failing: null })
    })

    it('refuses the name of an unknown dataset, and lists the known ones', async () => {
      const { code, stderr } = await run(['--bench', at('bench'), '--datasets', 'tiny,tinny'])
      expect(stderr).toMatch(/^bench:peers: no dataset is called tinny; there are tiny, diamonds, /)
      expect(code).toBe(1)
    })
  })
})
