// Commands and programs of the bench, each in a process of its own, so that neither memory nor warm code is shared.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { benchFile } from './places.js'

/** @typedef {{ seconds: number, code: number | null, stdout: string, stderr: string }} Finished */

/** Default limit of a child's run time, in milliseconds. */
const TIMEOUT_MS = 120_000

/** The environment without variables that would point the commands at another service. */
export const CLEAN_ENV = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('WHATIF_')))

/**
 * Runs a program to its end. Rejects if its exit code is not 0, or if it takes too long.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number }} [options]
 * @returns {Promise<Finished>} `seconds` is wall time from before the start until the end of the process.
 */
export async function runProgram(program, args, options = {}) {
  const begun = performance.now()
  const child = spawn(program, args, {
    cwd: options.cwd ?? tmpdir(),
    env: options.env ?? CLEAN_ENV,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.timeoutMs ?? TIMEOUT_MS,
  })
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const code = await ended
  const seconds = (performance.now() - begun) / 1000
  if (code !== 0) {
    const tail = stderr.trim().split('\n').slice(-6).join('\n')
    throw new Error(`${[program, ...args].join(' ')}\nended with ${code ?? 'a signal'} after ${seconds} s:\n${tail}`)
  }
  return { seconds, code, stdout, stderr }
}

/**
 * Runs node and also measures its peak memory.
 *
 * @param {readonly string[]} args
 * @param {{ cwd?: string, tempDir: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<Finished & { peakRssBytes: number }>}
 */
export async function runNodeMeasured(args, options) {
  const file = join(options.tempDir, 'peak-rss')
  const hook = pathToFileURL(benchFile('peak-rss-hook.js')).href
  const finished = await runProgram(process.execPath, ['--import', hook, ...args], {
    ...options,
    env: { ...(options.env ?? CLEAN_ENV), BENCH_PEAK_RSS_FILE: file },
  })
  const peakRssBytes = Number(readFileSync(file, 'utf8'))
  rmSync(file)
  return { ...finished, peakRssBytes }
}

/**
 * Runs a program of the bench that takes one JSON argument and prints one JSON document.
 *
 * @param {string} name File in this folder.
 * @param {unknown} request
 * @returns {Promise<any>}
 */
export async function callBenchProgram(name, request) {
  const { stdout } = await runProgram(process.execPath, [benchFile(name), JSON.stringify(request)])
  return JSON.parse(stdout)
}
