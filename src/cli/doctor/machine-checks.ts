import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** The oldest Node.js that the package is made for. */
const OLDEST_NODE = [20, 19] as const

const GIB = 2 ** 30

/** Below the first, a run is likely to stop half-way. Below the second, the embedded service refuses to start. */
const LITTLE_BYTES = GIB
const TOO_LITTLE_BYTES = GIB / 8

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
  return isOld
    ? fail('node', 2, `Node.js ${version} is too old`, `Install Node.js ${OLDEST_NODE.join('.')} or newer.`)
    : ok('node', `Node.js ${version}`)
}

/** Creates a folder and removes it: permissions alone do not show read-only mounts and quotas. */
export async function checkFolder(projectRoot: string): Promise<Check> {
  try {
    await rm(await mkdtemp(join(projectRoot, '.whatif-doctor-')), { recursive: true })
    return ok('folder', `the project folder ${projectRoot} can be written to`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return fail(
      'folder',
      2,
      `the project folder ${projectRoot} cannot be written to (${code})`,
      'State goes to .whatif there and results to out. Get write permission, or use --out for both.',
    )
  }
}

/** `free` in bytes, for tests; default: of the disk that the folder is on. */
export async function checkDisk(projectRoot: string, free?: number): Promise<Check> {
  let bytes = free
  if (bytes === undefined) {
    try {
      const { bavail, bsize } = await statfs(projectRoot)
      bytes = bavail * bsize
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return warn('disk', `the free disk space is not known (${code})`, 'Check it yourself before large runs.')
    }
  }
  const text = `${(bytes / GIB).toFixed(1)} GiB are free on the project's disk`
  const advice = 'Make room: models, results and the embedded service need it.'
  if (bytes < TOO_LITTLE_BYTES) return fail('disk', 2, text, advice)
  return bytes < LITTLE_BYTES ? warn('disk', text, advice) : ok('disk', text)
}

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']

/** Variables that change, or seem to change, how the network is reached. Only names are printed: values may hold passwords. */
export function checkNetworkVariables(env: NodeJS.ProcessEnv): readonly Check[] {
  const checks: Check[] = []
  const proxies = PROXIES.flatMap((name) => [name, name.toLowerCase()]).filter((name) => env[name])
  checks.push(
    proxies.length === 0
      ? ok('proxy', 'no proxy is set; connections are direct')
      : warn(
          'proxy',
          `${proxies.join(', ')} ${proxies.length === 1 ? 'is' : 'are'} set but not used: connections are direct`,
          'If the service is only reachable through the proxy, run whatif where it is reachable directly.',
        ),
  )
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    checks.push(
      fail(
        'tls',
        5,
        'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off certificate checks: anybody on the network path can take the credentials',
        'Unset it. To trust more authorities, name their file in NODE_EXTRA_CA_CERTS.',
      ),
    )
  return checks
}

/** One thing that a machine needs, and how it stands. Nothing in it is a secret. */
export interface Check {
  /** A word: `node`, `folder`, … */
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly message: string
  /** What to do; null when there is nothing. */
  readonly advice: string | null
  /** With which code a run would end because of it; 0 unless it fails. */
  readonly exitCode: 0 | 2 | 5 | 7 | 11
}

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message, advice: null, exitCode: 0 })

export const warn = (name: string, message: string, advice: string): Check => ({
  name,
  status: 'warn',
  message,
  advice,
  exitCode: 0,
})

export const fail = (
  name: string,
  exitCode: Exclude<Check['exitCode'], 0>,
  message: string,
  advice: string | null,
): Check => ({ name, status: 'fail', message, advice, exitCode })
