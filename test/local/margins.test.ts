import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readStudyFile } from '../../src/local/study-file.ts'
import { conditionsOf } from '../../src/study/conditions/condition.ts'
import { canonicalBody } from '../../src/study/hashing/canonical-body.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-margins-'))
  await mkdir(join(folder, 'project/.git'), { recursive: true })
})
afterEach(() => rm(folder, { recursive: true }))

const place = (path: string): string => join(folder, 'project', path)

async function write(path: string, text: string | Buffer): Promise<void> {
  await mkdir(dirname(place(path)), { recursive: true })
  await writeFile(place(path), text)
}

/** A study with these scenarios, and its findings as `code place`. */
async function read(scenarios: string, defaults = 'margins: census.csv') {
  await write(
    'a.study.yaml',
    `version: 1\nname: a\ndatasets: { panel: { file: p.csv } }\ndefaults: { rows: 100, seed: 1, ${defaults} }\nscenarios:\n${scenarios}`,
  )
  const { study, diagnostics } = await readStudyFile(place('a.study.yaml'))
  return {
    study,
    texts: diagnostics.map(({ code, summary, range }) => `${code} ${range?.filename}:${range?.start.line} ${summary}`),
    details: diagnostics.map(({ detail }) => detail),
  }
}

const CENSUS = 'column,level,share\nregion,North,0.3\nregion,South,0.25\n\ngender,Female,0.52\n'

describe('a file of margins', () => {
  it('gives its shares to scenarios that do not state the column, as if they had written them', async () => {
    await write('census.csv', CENSUS)
    const { study, texts } = await read(
      '  all: {}\n  own: { shares: { region: { West: 0.5 } } }\n  none: { margins: null }\n  written: { margins: null, shares: { gender: { Female: 0.52 }, region: { South: 0.25, North: 0.3 } } }\n',
    )
    expect(texts).toEqual([])
    const [all, own, none, written] = study!.scenarios
    const sharesOf = (scenario: typeof all) =>
      Object.fromEntries(
        conditionsOf(scenario!, 'share').map(({ column, shares }) => [column, Object.fromEntries(shares)]),
      )
    expect(sharesOf(all)).toEqual({ region: { North: 0.3, South: 0.25 }, gender: { Female: 0.52 } })
    expect(sharesOf(own)).toEqual({ region: { West: 0.5 }, gender: { Female: 0.52 } })
    expect(sharesOf(none)).toEqual({})
    expect(all!.margins).toEqual({ file: 'census.csv', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(none).not.toHaveProperty('margins')
    // The request and its identity are those of the shares, whatever file they come from.
    expect(canonicalBody(all!)).toBe(canonicalBody(written!))
  })

  it('is named by a matrix too, and gates apply to its shares', async () => {
    await write('census.csv', CENSUS)
    await write('later.csv', CENSUS.replace('0.3', '0.4'))
    const { study, texts } = await read(
      '  waves:\n    matrix: { axes: [{ name: wave, set: [margins], values: { now: census.csv, later: later.csv } }] }\n    expect: { shares: { tolerance: 0.02 } }\n',
      '',
    )
    expect(texts).toEqual([])
    const shares = study!.scenarios.map((scenario) => conditionsOf(scenario, 'share')[0]!.shares.get('North'))
    expect(shares).toEqual([0.3, 0.4])
  })

  it.each([
    ['semicolons and a byte order mark', '\ufeffcolumn;level;share\nregion;North;0.3\n'],
    ['tabs, another sequence and line ends', 'share\tColumn\tLEVEL\r\n0.3\tregion\tNorth\r\n'],
    ['quotation marks', '"column","level","share"\n"region","North","0.3"\n'],
  ])('may have %s', async (_name, text) => {
    await write('census.csv', text)
    const { study, texts } = await read('  all: {}\n')
    expect(texts).toEqual([])
    expect(conditionsOf(study!.scenarios[0]!, 'share')[0]!.shares.get('North')).toBe(0.3)
  })

  it.each([
    [
      'a share in per cent',
      'region,North,30%',
      'S1312 census.csv:2 the share of "North" in column "region" is "30%"',
      'write 0.3',
    ],
    [
      'a decimal comma',
      'region,North,"0,3"',
      'S1312 census.csv:2 the share of "North" in column "region" is "0,3"',
      'write 0.3',
    ],
    [
      'a share above 1',
      'region,North,30',
      'S1312 census.csv:2 the share of "North" in column "region" is "30"',
      'between 0 and 1',
    ],
    [
      'no share',
      'region,North,',
      'S1312 census.csv:2 the share of "North" in column "region" is empty',
      'such as 0.14',
    ],
    ['no level', 'region,,0.3', 'S1312 census.csv:2 this row has no level', 'expected'],
    [
      'a level twice',
      'region,North,0.3\nregion,North,0.3',
      'S1312 census.csv:3 level "North" of column "region" is there twice',
      'one row',
    ],
    [
      'more than everything',
      'region,North,0.7\nregion,South,0.5',
      'S2001 census.csv:2 shares of column "region" sum to 1.2, more than 1',
      '0.7 + 0.5',
    ],
    ['too few fields', 'region,North', 'S1312 census.csv:2 this row of margins has 2 fields', 'region,North,0.26'],
    ['nothing below the header', '', 'S1312 census.csv:1 the file of margins has no rows', 'expected'],
  ])('with %s is refused at its line', async (_name, rows, says, advice) => {
    await write('census.csv', `column,level,share\n${rows}\n`)
    const { study, texts, details } = await read('  all: {}\n')
    expect(study).toBeNull()
    expect(texts).toEqual([says])
    expect(details[0]).toContain(advice)
  })

  it.each([
    [
      'other names',
      'column,level,shares\nregion,North,0.3\n',
      'the header of the file of margins is column, level, shares',
      '"shares" is probably share',
    ],
    [
      'a further column',
      'column,level,share,n\nregion,North,0.3,12\n',
      'the header of the file of margins is column, level, share, n',
      'expected: a header',
    ],
    ['nothing', '', 'the file of margins is empty', 'expected: a header'],
  ])('whose header has %s is refused', async (_name, text, says, advice) => {
    await write('census.csv', text)
    const { texts, details } = await read('  all: {}\n')
    expect(texts).toEqual([`S1312 census.csv:1 ${says}`])
    expect(details[0]).toContain(advice)
  })

  it('of many columns for many scenarios is refused before memory runs out', async () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => `c${i},x,0.1`)
    await write('census.csv', `column,level,share\n${rows.join('\n')}\n`)
    const values = Array.from({ length: 100 }, (_, i) => `s${i}: ${i}`)
    const { texts } = await read(
      `  many: { matrix: { axes: [{ name: seed, set: [seed], values: { ${values.join(', ')} } }] } }\n`,
    )
    expect(texts).toEqual(['S4106 a.study.yaml:4 the study has more than 2000000 conditions from files of margins'])
  })

  it('that is not there, is a folder or no text is refused where it is named', async () => {
    const missing = await read('  all: {}\n')
    expect(missing.texts).toEqual(['S1311 a.study.yaml:4 the margins "census.csv" cannot be read'])
    await mkdir(place('census.csv'))
    expect((await read('  all: {}\n')).details).toEqual(['it is a folder'])
    await write('latin.csv', Buffer.from('column,level,share\nregi\xf3n,North,0.3\n', 'latin1'))
    expect((await read('  all: {}\n', 'margins: latin.csv')).details).toEqual([
      'it is not UTF-8 text; save it as UTF-8',
    ])
    await write('large.csv', 'x'.repeat(2 ** 20 + 1))
    expect((await read('  all: {}\n', 'margins: large.csv')).details[0]).toContain('more than 1048576')
  })

  it.each([
    ['outside the project', '../secret.csv', 'S1302', 'outside the project'],
    ['hidden', '.env', 'S1308', 'is hidden'],
    ['in a hidden folder', '.git/config', 'S1308', 'lies in the hidden folder ".git"'],
    ['a private key', 'id_rsa', 'S1308', 'has the name of a private key'],
    ['a link out of the project', 'linked.csv', 'S1302', 'outside the project'],
    ['a link to a hidden file', 'innocent.csv', 'S1308', 'is a link to ".env"'],
    ['absolute', '/etc/passwd', 'S1302', 'is absolute'],
    ['an address', 'https://example.test/census.csv', 'S1302', 'is an address'],
  ])('that is %s is not read', async (_name, path, code, says) => {
    await writeFile(join(folder, 'secret.csv'), CENSUS)
    await write('.env', CENSUS)
    await write('id_rsa', CENSUS)
    await symlink(join(folder, 'secret.csv'), place('linked.csv'))
    await symlink(place('.env'), place('innocent.csv'))
    const { study, texts } = await read('  all: {}\n', `margins: ${path}`)
    expect(study).toBeNull()
    expect(texts).toEqual([expect.stringContaining(`${code} a.study.yaml:4 `)])
    expect(texts[0]).toContain(says)
  })
})
