import { spawn, spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DoubleProject, makeDoubleProject } from '../double-project.ts'
import { cleanEnvironment } from '../project-folder.ts'

const repository = resolve(import.meta.dirname, '../../..')
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false
const ESC = '\u001b'
const CONTROLS = new RegExp(`${ESC}\\[[0-9;?]*[A-Za-z]`, 'g')

let at: DoubleProject
beforeEach(async () => {
  at = await makeDoubleProject()
})
afterEach(() => at.remove())

/** A command at a pseudo-terminal, whose keys the test presses. */
function atTerminal(command: string) {
  const child = spawn('script', ['-qefc', `stty rows 40 cols 100 && ${command}`, '/dev/null'], {
    cwd: at.project.root,
    env: { ...cleanEnvironment(), ...at.env, TERM: 'xterm', NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let text = ''
  let look = () => {}
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    look()
  })
  const ended = new Promise<{ code: number | null; text: string }>((settle, fail) => {
    child.on('error', fail)
    child.on('close', (code) => settle({ code, text }))
  })
  return {
    ended,
    press: (keys: string) => void child.stdin.write(keys),
    shown: (pattern: RegExp) =>
      new Promise<void>((settle, fail) => {
        look = () => {
          if (pattern.test(text)) settle()
        }
        look()
        ended.then(() => fail(new Error(`ended without showing ${pattern}:\n${text}`)), fail)
      }),
  }
}

/** The last state of the list and the text below it, which is not drawn again. */
const lastFrame = (text: string) =>
  text
    .slice(text.lastIndexOf(`${ESC}[2K`))
    .replaceAll(CONTROLS, '')
    .split(/\r?\n/)

describe.skipIf(!hasScript)('the live view after Ctrl-C (needs script of util-linux)', () => {
  const command = `'${process.execPath}' '${resolve(repository, 'bin/whatif.js')}' run demo.study.yaml --yes --concurrency 1`

  it('has a tick for successes, and other marks and words for failures', async () => {
    const terminal = atTerminal(command)
    let polls = 0
    // The second generation does not end before the key is pressed.
    at.double.intercept = async ({ method, path }) => {
      if (method !== 'GET' || !path.startsWith('/v1/jobs/') || at.double.made('generations') !== 2) return undefined
      if (polls++ > 0) return undefined
      terminal.press('\u0003')
      await terminal.ended
      return undefined
    }
    const { code, text } = await terminal.ended
    expect(code).toBe(130)
    const marks = lastFrame(text).flatMap((line) => /^ *[✔■↓✖❯] .*/.exec(line)?.[0].trim() ?? [])
    expect(marks.slice(0, 6)).toEqual([
      expect.stringMatching(/^✔ service {2}remote/),
      expect.stringMatching(/^✔ dataset panel {2}trained/),
      expect.stringMatching(/^■ scenarios 1 of 3 done · 1 interrupted · 1 not started · 100 rows/),
      expect.stringMatching(/^✔ base .*generated/),
      expect.stringMatching(/^■ more-yes .*interrupted/),
      expect.stringMatching(/^↓ young .*not started/),
    ])
  })

  it('has no tick when nothing has happened', async () => {
    const terminal = atTerminal(command)
    at.double.intercept = async ({ path }) => {
      if (path !== '/v1/datasets') return undefined
      terminal.press('\u0003')
      await terminal.ended
      return undefined
    }
    const { code, text } = await terminal.ended
    expect(code).toBe(130)
    const frame = lastFrame(text).join('\n')
    expect(frame).toMatch(/■ dataset panel {2}interrupted/)
    expect(frame.replace(/✔ service {2}remote/, '')).not.toContain('✔')
  })
})

describe.skipIf(!hasScript)('the live view of a run (needs script of util-linux)', () => {
  it('says below the list what a log says of results without their state', async () => {
    const command = `'${process.execPath}' '${resolve(repository, 'bin/whatif.js')}' run demo.study.yaml --yes`
    expect(await atTerminal(command).ended).toMatchObject({ code: 0 })
    await rm(resolve(at.project.root, '.whatif'), { recursive: true })
    const { code, text } = await atTerminal(command).ended
    expect(code).toBe(0)
    const shown = lastFrame(text)
    const note = shown.findIndex((line) => line.startsWith('note: out/demo holds files of 3 scenarios'))
    expect(note).toBeGreaterThan(shown.findIndex((line) => line.includes('scenarios 3 of 3 done')))
    expect(shown.slice(note).findIndex((line) => line.includes('✓ base'))).toBeGreaterThan(0)
  })
})

describe.skipIf(!hasScript)('the question before a billed run (needs script of util-linux)', () => {
  const command = `'${process.execPath}' '${resolve(repository, 'bin/whatif.js')}' run demo.study.yaml`

  it('asks in place of the list, with the plan, and the list continues below the answer', async () => {
    const terminal = atTerminal(command)
    await terminal.shown(/Go ahead\? \[y\/N\] /)
    expect(at.double.made('datasets')).toBe(0)
    terminal.press('y\n')
    const { code, text } = await terminal.ended
    expect(code).toBe(0)
    const asked = text.slice(0, text.indexOf('Go ahead?'))
    expect(asked).toMatch(/at most [\d,]+ rows billed/)
    // No frame comes between plan and answer, and the first one after it erases no line of these.
    const plan = asked.slice(asked.lastIndexOf('demo · '))
    expect(plan).not.toContain(`${ESC}[2K`)
    const after = text.slice(text.indexOf('Go ahead?'))
    const [before = ''] = after.split(`${ESC}[2K`)
    const erased = after.match(new RegExp(`^(?:(?!${ESC}\\[G).)*?((?:${ESC}\\[2K(?:${ESC}\\[1A)?)+)`, 's'))?.[1] ?? ''
    const erasedLines = erased.split('1A').length - 1
    expect(erasedLines).toBeGreaterThan(0)
    expect(before.split('\n').length - 2).toBeGreaterThanOrEqual(erasedLines)
    expect(lastFrame(text).join('\n')).toMatch(/✔ scenarios 3 of 3 done/)
  })

  it.each([
    ['n\n', 2, /not confirmed; nothing was sent/],
    ['\u0003', 130, /interrupted by SIGINT/],
  ])('sends nothing after %j', async (keys, exitCode, says) => {
    const terminal = atTerminal(command)
    await terminal.shown(/Go ahead\? \[y\/N\] /)
    terminal.press(keys)
    const { code, text } = await terminal.ended
    expect(code).toBe(exitCode)
    expect(text).toMatch(says)
    expect(at.double.made('datasets')).toBe(0)
  })
})
