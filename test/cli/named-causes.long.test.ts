import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyFile } from '../runner/faults/fault-rig.ts'
import { SEED_CSV } from '../runner/run-rig.ts'
import { SECRET_CANARY } from '../runner/service-double.ts'
import { DEMO_STUDY } from './double-project.ts'
import { makeProject } from './project-folder.ts'

/** The message for a person when the service cannot be reached, or does not do its work, until the deadline. */

const run = promisify(execFile)
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
const hasOpenssl = await run('openssl', ['version']).then(
  () => true,
  () => false,
)

let folder: string
let named = 0
const servers: Server[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-causes-'))
})
afterAll(async () => {
  for (const server of servers) {
    server.close()
    ;(server as ReturnType<typeof createServer>).closeAllConnections()
  }
  await rm(folder, { recursive: true, force: true })
})

async function portOf(server: Server): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A service that gives tokens and does nothing else. */
async function tokensAnd(rest: RequestListener): Promise<Target> {
  const server = createServer((request, response) => {
    if (request.url !== '/oauth/token') return rest(request.resume(), response)
    const body = JSON.stringify({ access_token: 'token', token_type: 'Bearer', expires_in: 3600 })
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(body))
  })
  return { url: `http://127.0.0.1:${await portOf(server)}` }
}

const refusal =
  (status: number, code: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, {
      'content-type': 'application/problem+json',
      'x-request-id': `req_${++named}`,
      ...headers,
    })
    response.end(JSON.stringify({ type: 'about:blank', title: 'No', status, code, detail: 'Come back later.' }))
  }

/** A service with a certificate; `trusted`: its authority is known, and something else is wrong with it. */
async function withCertificate(make: (name: string) => Promise<void>, trusted: boolean): Promise<Target> {
  const name = join(folder, `tls${++named}`)
  await make(name)
  const [key, cert] = await Promise.all([readFile(`${name}.key`), readFile(`${name}.crt`)])
  const port = await portOf(createTlsServer({ key, cert }, (_, response) => response.end()))
  return { url: `https://127.0.0.1:${port}`, env: trusted ? { NODE_EXTRA_CA_CERTS: `${name}.crt` } : {} }
}

const selfSigned = (subject: string) => async (name: string) => {
  const files = ['-keyout', `${name}.key`, '-out', `${name}.crt`]
  await run('openssl', ['req', '-x509', '-days', '2', '-subj', subject, ...KEY, ...files])
}

async function expired(name: string): Promise<void> {
  const config = `[ca]\ndefault_ca=one\n[one]\ndatabase=${name}.txt\nserial=${name}.serial\ndefault_md=sha256\npolicy=any\n[any]\ncommonName=supplied\n`
  await Promise.all([
    writeFile(`${name}.cnf`, config),
    writeFile(`${name}.txt`, ''),
    writeFile(`${name}.serial`, '01\n'),
  ])
  await run('openssl', [
    'req',
    '-new',
    '-subj',
    '/CN=127.0.0.1',
    ...KEY,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.csr`,
  ])
  const dates = ['-startdate', '20200101000000Z', '-enddate', '20200201000000Z']
  const files = ['-config', `${name}.cnf`, '-in', `${name}.csr`, '-keyfile', `${name}.key`, '-out', `${name}.crt`]
  await run('openssl', ['ca', '-batch', '-selfsign', '-notext', '-outdir', folder, ...files, ...dates])
}

/** A name server that knows nothing, without asking a real one. */
async function unknownHost(): Promise<Target> {
  const preload = join(folder, `no-names${++named}.mjs`)
  await writeFile(
    preload,
    `import dns from 'node:dns'
     dns.lookup = (host, options, done) =>
       setImmediate(done, Object.assign(new Error('getaddrinfo ENOTFOUND ' + host), { code: 'ENOTFOUND' }))`,
  )
  return { url: 'https://service.invalid', env: { NODE_OPTIONS: `--import ${preload}` } }
}

interface Target {
  readonly url: string
  readonly env?: NodeJS.ProcessEnv
}

interface Cause {
  readonly name: string
  readonly target: () => Promise<Target>
  readonly deadline: string
  readonly says: string
  /** The tries and their number, between the address and the cause. */
  readonly tried: RegExp
  readonly advice: string
}

/** A busy machine may come to a single try only. */
const OFTEN = / failed(?: \d+ times in [\d.]+ s)?[:;] |\(\d+ tries in [\d.]+ s\)|was answered with/

const REACHABLE: readonly Cause[] = [
  {
    name: 'a refused connection',
    target: async () => ({ url: 'http://127.0.0.1:9' }),
    deadline: '6s',
    says: 'connection refused (ECONNREFUSED)',
    tried: OFTEN,
    advice: 'Check that something listens there',
  },
  {
    name: 'an unknown host',
    target: unknownHost,
    deadline: '6s',
    says: 'host not found (ENOTFOUND)',
    tried: OFTEN,
    advice: 'Check the spelling of the address',
  },
  {
    name: 'a 503 to everything',
    target: () => tokensAnd(refusal(503, 'svc_unavailable')),
    deadline: '6s',
    says: '503 svc_unavailable: Come back later',
    tried: OFTEN,
    advice: 'un again',
  },
  {
    name: 'a 429 that asks to wait beyond the deadline',
    target: () => tokensAnd(refusal(429, 'svc_rate_limited', { 'retry-after': '90' })),
    deadline: '30s',
    says: '429 svc_rate_limited: Come back later',
    tried: /it asks to wait 90 s; the next try would be after the deadline/,
    advice: 'Run again',
  },
  {
    name: 'silence',
    target: () => tokensAnd(() => {}),
    deadline: '8s',
    says: 'had no answer in',
    tried: / had no answer in [\d.]+ s\. /,
    advice: 'does not answer',
  },
]

const CERTIFICATES: readonly Cause[] = [
  {
    name: 'a self-signed certificate',
    target: () => withCertificate(selfSigned('/CN=127.0.0.1'), false),
    deadline: '30s',
    says: 'self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)',
    tried: / failed: /,
    advice: 'NODE_EXTRA_CA_CERTS',
  },
  {
    name: 'an expired certificate',
    target: () => withCertificate(expired, true),
    deadline: '30s',
    says: 'certificate expired (CERT_HAS_EXPIRED)',
    tried: / failed: /,
    advice: 'renew the certificate',
  },
  {
    name: 'a certificate for another host',
    target: () => withCertificate(selfSigned('/CN=other.test'), true),
    deadline: '30s',
    says: 'certificate for another host name (ERR_TLS_CERT_ALTNAME_INVALID)',
    tried: / failed: /,
    advice: 'Use the host name',
  },
]

const RUN = 'run demo.study.yaml --yes --events=events.ndjson --reporter junit=junit.xml'
/** Commands that train without generating use the same code for both. */
const CHECKS = ['validate demo.study.yaml', 'lock demo.study.yaml']

async function commandIn(cause: Cause, line: string) {
  const { url, env } = await cause.target()
  const project = await makeProject()
  await project.write('seeds/panel.csv', SEED_CSV)
  await project.write('demo.study.yaml', DEMO_STUDY)
  const credentials = { WHATIF_CLIENT_ID: 'cli_1', WHATIF_CLIENT_SECRET: SECRET_CANARY }
  const addresses = { WHATIF_BASE_URL: url, WHATIF_AUTH_URL: url }
  const args = [...line.split(' '), '--deadline', cause.deadline]
  const ended = await project.whatif(args, { env: { ...addresses, ...credentials, ...env } })
  const written = everyFile(project.root)
  await project.remove()
  return { ...ended, url, written }
}

function testNamedCauses(causes: readonly Cause[]): void {
  const table = causes.flatMap((cause, i) => [RUN, CHECKS[i % 2]!].map((line) => ({ cause, line, name: cause.name })))
  it.concurrent.each(table)('$name, by whatif $line', async ({ cause, line }) => {
    const { code, stdout, stderr, url, written } = await commandIn(cause, line)
    expect({ code, stdout, stderr }).toMatchObject({ code: 11, stdout: '' })
    // Meanwhile, a line says that it is tried again, and why.
    const shown = stderr.split('\n').filter((text) => text.includes(cause.says) && !/, try \d+: /.test(text))
    expect(shown).toHaveLength(1)
    const [text = ''] = shown
    expect(text).toMatch(/^error: /)
    expect(text).toContain(` at ${url} `)
    expect(text).toMatch(cause.tried)
    expect(text).toContain(cause.advice)
    if (line.startsWith('run')) {
      expect(stderr).toContain('✗ 3 scenarios not started\n    for the reason above [')
      expect(stderr).not.toMatch(/^(base|more-yes|young): /m)
    }

    const names = written.map(([name]) => name)
    if (line.startsWith('run'))
      expect(names).toEqual(expect.arrayContaining(['out/demo/manifest.json', 'events.ndjson', 'junit.xml']))
    for (const [name, content] of written) {
      expect([name, content.includes(new URL(url).host)]).toEqual([name, false])
      expect([name, content.includes(SECRET_CANARY)]).toEqual([name, false])
    }
    expect(stderr).not.toContain(SECRET_CANARY)
  })
}

describe('the cause is named once, with the request and the address, and in no file:', () => {
  testNamedCauses(REACHABLE)
})

describe.skipIf(!hasOpenssl)('the cause is named in the same way (needs openssl for certificates):', () => {
  testNamedCauses(CERTIFICATES)
})

const [REFUSED] = REACHABLE as [Cause]

it.concurrent.each(['inspect seeds/panel.csv', 'init seeds/panel.csv'])(
  'whatif %s names the cause of its deadline',
  async (line) => {
    const { code, stderr, url } = await commandIn(REFUSED, line)
    expect(code).toBe(11)
    expect(stderr).toMatch(/^error: the deadline of 6 s has passed\. The token request at http/m)
    expect(stderr).toContain(`The token request at ${url} failed`)
    expect(stderr.match(/connection refused \(ECONNREFUSED\)\. Check/g)).toHaveLength(1)
  },
)

it.concurrent('a document has the cause and no address', async () => {
  const { code, stdout } = await commandIn(REFUSED, 'run demo.study.yaml --yes --json')
  expect(code).toBe(11)
  const { data } = JSON.parse(stdout)
  expect(data.message).toContain('connection refused (ECONNREFUSED)')
  expect(stdout).not.toContain('127.0.0.1')
})

it.concurrent('the annotations and the summary of a CI step have the cause and no address', async () => {
  const summary = join(folder, 'summary.md')
  await writeFile(summary, '')
  const target = async () => ({
    ...(await REFUSED.target()),
    env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary },
  })
  const { code, stdout, stderr } = await commandIn({ ...REFUSED, target }, 'run demo.study.yaml --yes')
  expect(code).toBe(11)
  const annotations = `${stdout}${stderr}`.split('\n').filter((text) => text.startsWith('::error'))
  expect(annotations.filter((text) => text.includes('connection refused'))).toHaveLength(1)
  expect(annotations.join('\n')).not.toContain('127.0.0.1')
  const page = await readFile(summary, 'utf8')
  expect(page).toContain('connection refused')
  expect(page).not.toContain('127.0.0.1')
})
