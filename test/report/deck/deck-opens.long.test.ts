import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parseManifest } from '../../../src/answers/manifest/parse-manifest.ts'
import { deckSlides, reportDeck } from '../../../src/report/deck/deck.ts'
import { compared, liftManifest, share } from '../example-answers.ts'
import { readDeck } from './read-deck.ts'

const SCENARIOS = 60
const OUTCOMES = 20

const folder = mkdtempSync(join(tmpdir(), 'whatif-deck-'))

/** A page that any Impress opens: LibreOffice may be there without it. */
const PAGE = `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.presentation"><office:body><office:presentation><draw:page/></office:presentation></office:body></office:document>`

const convert = (file: string): string =>
  execFileSync(
    'soffice',
    [
      `-env:UserInstallation=file://${join(folder, 'profile')}`,
      '--headless',
      '--convert-to',
      'pdf',
      '--outdir',
      folder,
      join(folder, file),
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  )

function hasImpress(): boolean {
  if (spawnSync('soffice', ['--version']).status !== 0) return false
  writeFileSync(join(folder, 'probe.fodp'), PAGE)
  convert('probe.fodp')
  return existsSync(join(folder, 'probe.pdf'))
}

const pagesOf = (pdf: string): number =>
  Number(/^Pages:\s+(\d+)/m.exec(spawnSync('pdfinfo', [join(folder, pdf)], { encoding: 'utf8' }).stdout)![1])

const wordsOf = (pdf: string): string =>
  spawnSync('pdftotext', ['-layout', join(folder, pdf), '-'], { encoding: 'utf8', maxBuffer: 1e8 }).stdout

const hasTools = hasImpress() && spawnSync('pdfinfo', ['-v']).status === 0

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(!hasTools)('a deck in LibreOffice (Debian: libreoffice-impress-nogui, poppler-utils)', () => {
  it('has a page for each slide of 60 scenarios and 20 outcomes, and every figure of the manifest behind its charts', async () => {
    const shift = (at: number, i: number) => (at - 20 + i) / 1000
    const scenarios = Object.fromEntries(
      Array.from({ length: SCENARIOS }, (_, at) => [
        `${'a long name of a scenario '.repeat(3)}${at}`,
        compared(
          Object.fromEntries(
            Array.from({ length: OUTCOMES }, (_, i) => [
              `q${i}`,
              { Yes: share(0.3, 0.3 + shift(at, i), 0.01, { beyond_chance: Math.abs(shift(at, i)) > 0.0196 }) },
            ]),
          ),
        ),
      ]),
    )
    const read = parseManifest(JSON.stringify(liftManifest(scenarios)))
    const bytes = await reportDeck(read)
    writeFileSync(join(folder, 'large.pptx'), bytes)
    const { slides } = await readDeck(bytes)
    const forests = slides.flatMap(({ chart }) => (chart?.xml.includes('overlap') ? [chart] : []))
    const figures = forests.flatMap(({ rows }) =>
      rows.slice(1).map((row) => row.slice(1).find((cell) => typeof cell === 'number')),
    )
    expect(figures).toHaveLength(SCENARIOS * OUTCOMES)
    const expected = Array.from({ length: SCENARIOS * OUTCOMES }, (_, n) =>
      Number((100 * shift(n % SCENARIOS, Math.floor(n / SCENARIOS))).toFixed(9)),
    )
    const sorted = (all: readonly unknown[]) =>
      all.map((one) => Number((one as number).toFixed(9))).sort((a, b) => a - b)
    expect(sorted(figures)).toEqual(sorted(expected))
    for (const { rows } of forests) expect(rows.length).toBeLessThanOrEqual(13)
    convert('large.pptx')
    expect(readdirSync(folder)).toContain('large.pdf')
    expect(pagesOf('large.pdf')).toBe(deckSlides(read).length)
    const words = wordsOf('large.pdf')
    expect(words).toContain('(5 of 5)')
    expect(words).toContain('95 % interval')
  })
})
