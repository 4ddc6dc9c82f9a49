// Processes of the bench that live on between steps and answer messages.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { CLEAN_ENV } from './child-process.js'
import { childrenOf, peakRssBytes, rssBytes } from './peak-rss.js'
import { benchFile } from './places.js'

/** Milliseconds between two measurements of memory while a step runs. */
const LOOK_MS = 5

/** After the start of a service; by then it has loaded its modules, and is idle. */
export const AT_REST_MS = 5_000

export class TalkingChild {
  #child
  #ended

  /** @param {string} name File in this folder. */
  constructor(name) {
    this.#child = fork(benchFile(name), { env: CLEAN_ENV })
    this.#ended = once(this.#child, 'exit')
  }

  /**
   * The next message after this one was sent. Rejects when the process ends first.
   *
   * @param {unknown} message
   * @returns {Promise<any>}
   */
  async ask(message) {
    const answer = once(this.#child, 'message')
    const ended = this.#ended.then(([code]) => {
      throw new Error(`a process of the bench ended with ${code} in the middle of a step`)
    })
    this.#child.send(/** @type {import('node:child_process').Serializable} */ (message))
    const [reply] = await Promise.race([answer, ended])
    return reply
  }

  /**
   * @param {string} step
   * @param {unknown} [request]
   * @returns {Promise<any>}
   */
  async step(step, request = {}) {
    const { reply, failure } = await this.ask({ step, request })
    if (failure !== undefined) throw new Error(`${step}: ${failure}`)
    return reply
  }

  /** Bytes, or null if the platform does not report them. */
  rss() {
    return rssBytes(this.#child.pid ?? -1)
  }

  /** Most bytes so far, or null if the platform does not report them. */
  peakRss() {
    return this.rss() === null ? null : peakRssBytes(this.#child.pid ?? -1)
  }

  /** The largest peak among its child processes that still exist; null if the platform does not report it. */
  peakRssOfChildren() {
    const children = childrenOf(this.#child.pid ?? -1)
    return children.length === 0 ? null : Math.max(...children.map((pid) => peakRssBytes(pid)))
  }

  /** @param {unknown} message The one that makes it end. */
  async end(message) {
    if (this.#child.connected) this.#child.send(/** @type {import('node:child_process').Serializable} */ (message))
    await this.#ended
  }

  /** Ends it at once; harmless when it has ended. */
  async kill() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL')
    await this.#ended
  }
}

/**
 * Growth of resident memory in bytes while `work` runs, largest over what was there before; null where the platform does
 * not tell.
 *
 * @template T
 * @param {readonly TalkingChild[]} children
 * @param {() => Promise<T>} work
 * @returns {Promise<{ value: T, growth: (number | null)[] }>}
 */
export async function watchMemory(children, work) {
  const before = children.map((child) => child.rss())
  const most = [...before]
  const timer = setInterval(() => {
    children.forEach((child, i) => {
      const now = child.rss()
      if (now !== null) most[i] = Math.max(most[i] ?? 0, now)
    })
  }, LOOK_MS)
  try {
    const value = await work()
    return { value, growth: most.map((peak, i) => (peak === null ? null : peak - (before[i] ?? 0))) }
  } finally {
    clearInterval(timer)
  }
}
