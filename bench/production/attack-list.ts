import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AttackFile } from './attack-files.ts'

type AttackedDataset = 'readable' | 'schema' | 'levels' | 'survey'

/** The target of an attack. */
export interface Target {
  readonly baseUrl: string
  /** Of the attacking tenant. */
  readonly bearer: string
  readonly files: Record<AttackFile, string>
  /** Datasets of the attacking tenant, by the file they were trained on. */
  readonly datasets: Partial<Record<AttackedDataset, string>>
}

interface Attack {
  readonly name: string
  /** Continues until the signal aborts. */
  readonly run: (attacker: Attacker, signal: AbortSignal) => Promise<void>
}

/** A hostile peer: as many connections as it likes, and a count of the answers it gets. */
export class Attacker {
  readonly target: Target
  readonly #answers = new Map<string, number>()
  readonly #agent = new Agent({ keepAlive: true })
  readonly #url: URL

  constructor(target: Target) {
    this.target = target
    this.#url = new URL(target.baseUrl)
  }

  /** The answers, the most frequent first: `429` 12 times, `svc_unreadable_file` 3 times. */
  answers(): readonly (readonly [answer: string, times: number])[] {
    return [...this.#answers].sort(([, a], [, b]) => b - a)
  }

  close(): void {
    this.#agent.destroy()
  }

  /** Sends a request and reads its answer, as fast as `read` lets it. */
  async ask(
    method: string,
    path: string,
    body: string | Buffer = '',
    headers: Readonly<Record<string, string>> = {},
    read: (response: IncomingMessage) => Promise<string> = textOf,
  ): Promise<void> {
    const all = { authorization: `Bearer ${this.target.bearer}`, 'content-length': Buffer.byteLength(body), ...headers }
    const { hostname: host, port } = this.#url
    const outgoing = request({ host, port, method, path, agent: this.#agent, headers: all })
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject)
    })
    outgoing.end(body)
    try {
      const answer = await response
      this.#count(answer.statusCode ?? 0, await read(answer))
    } catch {
      this.#count(0, '')
    }
  }

  async json(method: string, path: string, body: unknown): Promise<void> {
    await this.ask(method, path, JSON.stringify(body), { 'content-type': 'application/json' })
  }

  /** Uploads a file and waits some seconds for the result. */
  async upload(file: AttackFile): Promise<void> {
    const boundary = 'attack'
    const part = (name: string): string => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`
    const body = Buffer.concat([
      Buffer.from(`${part('wait_seconds')}\r\n\r\n5\r\n${part('seed_file')}; filename="a.parquet"\r\n\r\n`),
      readFileSync(this.target.files[file]),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ])
    await this.ask('POST', '/v1/datasets', body, { 'content-type': `multipart/form-data; boundary=${boundary}` })
  }

  /** Asks for something on a connection of its own and never reads the answer. */
  async askAndNeverRead(path: string, signal: AbortSignal): Promise<void> {
    const { hostname, port, host } = this.#url
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('error', () => undefined)
    socket.pause()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${this.target.bearer}\r\n\r\n`)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    socket.destroy()
  }

  /** Writes bytes that are no request of a client library. */
  async raw(bytes: string): Promise<void> {
    const { hostname, port } = this.#url
    const socket = connect({ host: hostname, port: Number(port) })
    let answer = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text
    })
    socket.write(bytes)
    await new Promise<void>((resolve) => {
      socket.once('close', () => resolve()).once('error', () => resolve())
      setTimeout(() => socket.end(), 100)
    })
    this.#count(Number(answer.slice(9, 12)), answer)
  }

  #count(status: number, text: string): void {
    const code = /"code":"(\w+)"/.exec(text)?.[1]
    const answer = `${status === 0 ? 'cut off' : status}${code === undefined ? '' : ` ${code}`}`
    this.#answers.set(answer, (this.#answers.get(answer) ?? 0) + 1)
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text = `${text}${piece}`.slice(-4_096)
  return text
}

/** 64 KiB in a tenth of a second. */
async function slowly(response: IncomingMessage): Promise<string> {
  for await (const _piece of response) await sleep(100)
  return ''
}

/** `times` of something at once, each again as soon as it is through. */
async function atOnce(times: number, signal: AbortSignal, act: (turn: number) => Promise<void>): Promise<void> {
  const repeat = async (first: number): Promise<void> => {
    for (let turn = first; !signal.aborted; turn += times) await act(turn)
  }
  await Promise.all(Array.from({ length: times }, (_, i) => repeat(i)))
}

const pathTo = (by: Attacker, dataset: AttackedDataset, what: 'schema' | 'generations'): string =>
  `/v1/datasets/${by.target.datasets[dataset]}/${what}`

/** 1 MB of JSON. */
function manyKeys(): string {
  return JSON.stringify(Object.fromEntries(Array.from({ length: 110_000 }, (_, i) => [i.toString(36), 1])))
}

export const ATTACKS: readonly Attack[] = [
  { name: 'nothing', run: async () => undefined },
  {
    name: 'uploads with levels of 8 MB',
    run: async (by, signal) => await atOnce(8, signal, (turn) => by.upload(turn % 2 === 0 ? 'stalling' : 'readable')),
  },
  {
    name: 'its schema, 16 never read',
    run: async (by, signal) => {
      const path = pathTo(by, 'readable', 'schema')
      await atOnce(16, signal, () => by.askAndNeverRead(path, signal))
    },
  },
  {
    name: 'uploads with a schema of 4 MB',
    run: async (by, signal) => await atOnce(4, signal, () => by.upload('schema')),
  },
  {
    name: 'misspelt levels, schema 4 MB',
    run: async (by, signal) => {
      const path = pathTo(by, 'schema', 'generations')
      const categorical = (turn: number) => ({ [`c${turn % 80}`]: { [`${turn % 80}-0 `.padEnd(512, 'e')]: 1 } })
      await atOnce(8, signal, (turn) =>
        by.json('POST', path, { row_count: 1, conditions: { categorical: categorical(turn) } }),
      )
    },
  },
  {
    name: 'schema of 4 MB, 16 read slowly',
    run: async (by, signal) => {
      const path = pathTo(by, 'schema', 'schema')
      await atOnce(16, signal, async () => {
        await by.ask('GET', path, '', {}, slowly)
        await sleep(20)
      })
    },
  },
  {
    name: 'schema of 4 MB, 16 never read',
    run: async (by, signal) => {
      const path = pathTo(by, 'schema', 'schema')
      await atOnce(16, signal, () => by.askAndNeverRead(path, signal))
    },
  },
  {
    name: 'a million rows of levels of 1 KB',
    run: async (by, signal) => {
      const path = pathTo(by, 'levels', 'generations')
      await atOnce(4, signal, (turn) =>
        by.json('POST', path, { row_count: 1_000_000, seed: turn, output_format: 'csv', wait_seconds: 5 }),
      )
    },
  },
  {
    name: 'uploads of one value of 30 MB',
    run: async (by, signal) => await atOnce(8, signal, () => by.upload('value')),
  },
  {
    name: 'trainings of 5,000 columns',
    run: async (by, signal) => await atOnce(2, signal, () => by.upload('wide')),
  },
  {
    name: '15 generations of a million rows',
    run: async (by, signal) => {
      const path = pathTo(by, 'survey', 'generations')
      await atOnce(15, signal, (turn) => by.json('POST', path, { row_count: 1_000_000, seed: turn, wait_seconds: 5 }))
    },
  },
  {
    name: '30 signups of 1 MB at once',
    run: async (by, signal) => {
      const body = manyKeys()
      await atOnce(30, signal, () => by.ask('POST', '/v1/signup', body, { 'content-type': 'application/json' }))
    },
  },
  {
    name: '32 floods of forged bearers',
    run: async (by, signal) => {
      const [head, payload] = by.target.bearer.split('.')
      await atOnce(32, signal, () => {
        const forged = `${head}.${payload}.${randomBytes(64).toString('base64url')}`
        return by.ask('GET', '/v1/datasets', '', { authorization: `Bearer ${forged}` })
      })
    },
  },
  {
    name: '32 guess the operator token',
    run: async (by, signal) =>
      await atOnce(32, signal, () =>
        by.ask('GET', '/operator/v1/tenants', '', { authorization: `Bearer ${randomBytes(24).toString('hex')}` }),
      ),
  },
  {
    name: 'year 290000, gzip chunks, GET *',
    run: async (by, signal) =>
      await atOnce(12, signal, async (turn) => {
        if (turn % 3 === 0) return await by.upload('years')
        if (turn % 3 === 1) return await by.raw('GET * HTTP/1.1\r\nHost: x\r\n\r\n')
        const coded = 'POST /v1/signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json'
        await by.raw(`${coded}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)
      }),
  },
]
