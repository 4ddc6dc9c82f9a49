import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { readSecretFile } from './master-key.ts'
import type { GivenSettings } from './read-settings.ts'
import * as values from './setting-values.ts'
import type { Settings } from './settings.ts'
import { SERVICE_SETTINGS, type SettingEntry } from './settings-table.ts'
import { UnusableError } from './unusable-error.ts'

/** File in the data folder, mode 600, whose content is the operator token. */
export const OPERATOR_TOKEN_FILE = 'operator.token'

/**
 * Completes and checks settings from any source. The environment is not read. An omitted operator token is read from
 * the data folder; null turns the operator routes off.
 *
 * @throws UnusableError for invalid values or combinations.
 */
export function completeSettings(given: GivenSettings): Settings {
  const settings: Settings = {
    ifDataOpen: 'refuse',
    host: byDefault(SERVICE_SETTINGS.host),
    port: 0,
    identityProvider: null,
    databaseUrl: null,
    databasePool: byDefault(SERVICE_SETTINGS.databasePool),
    statementTimeoutMs: byDefault(SERVICE_SETTINGS.statementTimeoutMs),
    objectStorage: null,
    storage: byDefault(SERVICE_SETTINGS.storage),
    role: byDefault(SERVICE_SETTINGS.role),
    claims: byDefault(SERVICE_SETTINGS.claims),
    onApproval: null,
    trustedProxies: [],
    masterKey: null,
    threads: availableParallelism(),
    namesRare: false,
    quality: byDefault(SERVICE_SETTINGS.quality),
    givesWay: false,
    workers: byDefault(SERVICE_SETTINGS.workers),
    tenantJobs: null,
    tenantQueue: byDefault(SERVICE_SETTINGS.tenantQueue),
    splitRows: byDefault(SERVICE_SETTINGS.splitRows),
    jobDeadlineMinutes: byDefault(SERVICE_SETTINGS.jobDeadlineMinutes),
    trainingCpuMinutes: byDefault(SERVICE_SETTINGS.trainingCpuMinutes),
    trainingScratchGb: byDefault(SERVICE_SETTINGS.trainingScratchGb),
    evidenceCap: byDefault(SERVICE_SETTINGS.evidenceCap),
    disclosure: 'protected',
    clientQuestions: byDefault(SERVICE_SETTINGS.clientQuestions),
    deletionReserve: false,
    tenantBytes: null,
    artifactBytes: byDefault(SERVICE_SETTINGS.artifactBytes),
    retentionHours: null,
    webhooks: byDefault(SERVICE_SETTINGS.webhooks),
    rateLimits: byDefault(SERVICE_SETTINGS.rateLimits),
    clientRate: byDefault(SERVICE_SETTINGS.clientRate),
    addressRate: byDefault(SERVICE_SETTINGS.addressRate),
    drainSeconds: byDefault(SERVICE_SETTINGS.drainSeconds),
    lockTimeoutMs: 10_000,
    logLevel: 'silent',
    metrics: byDefault(SERVICE_SETTINGS.metrics),
    migrate: byDefault(SERVICE_SETTINGS.migrate),
    traces: null,
    ...given,
    ...(given.tenantBytes === undefined && { tenantBytes: defaultTenantBytes(given) }),
    version: given.version ?? packageVersion(),
    publicUrl: given.publicUrl == null ? null : check('public address', values.httpAddress, given.publicUrl),
    authUrl:
      given.authUrl == null ? null : check('address of the identity provider', values.httpAddress, given.authUrl),
    operatorToken:
      given.operatorToken !== undefined
        ? given.operatorToken
        : readSecretFile(join(given.dataDir, OPERATOR_TOKEN_FILE)),
  }
  const { operatorToken, identityProvider, trustedProxies } = settings
  if (operatorToken !== null) check('operator token', values.operatorToken, operatorToken)
  check('number of connections to the database', values.poolSize, String(settings.databasePool))
  if (trustedProxies.length > 0) check('list of trusted proxies', values.proxies, trustedProxies.join(','))
  if (identityProvider !== null) {
    check('issuer of tokens', values.issuer, identityProvider.issuer)
    check('address of the public keys', values.trustedAddress, identityProvider.jwksUrl)
    check('list of signature algorithms', values.algorithms, identityProvider.algorithms.join(','))
    if (settings.authUrl !== null) {
      throw new UnusableError(
        'setting_invalid',
        '--auth-url names our own identity provider, and WHATIF_IDP_* another one: leave out --auth-url, or all of WHATIF_IDP_*',
      )
    }
  }
  if (settings.role !== 'all' && settings.databaseUrl === null) {
    throw new UnusableError(
      'setting_invalid',
      `the role ${settings.role} needs a database that other processes can reach: set DATABASE_URL to a PostgreSQL address`,
    )
  }
  return settings
}

/** As in `whatif serve`. A program that starts a service differs from it in what is stated above: any port, no log, no reserve. */
function byDefault<T>({ fallback, variable, parse }: SettingEntry<T>): T {
  if (fallback === null) throw new TypeError(`${variable} has no default`)
  return parse(fallback)
}

/** A tenant may fill a quarter of the disk of the files. A bucket has no size to divide. */
function defaultTenantBytes({ dataDir, objectStorage }: GivenSettings): number {
  if (objectStorage != null) return 100 * 2 ** 30
  // The folder may not exist yet; it will be on its parent's disk.
  let folder = resolve(dataDir)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  const { blocks, bsize } = statfsSync(folder)
  return Math.floor((blocks * bsize) / 4)
}

/** The message does not repeat the value: an address may contain a password. */
function check<T>(what: string, parse: (text: string) => T, text: string): T {
  try {
    return parse(text)
  } catch (error) {
    throw new UnusableError('setting_invalid', `the ${what} is invalid: expected ${(error as Error).message}`)
  }
}

/** Two folders up, from `src/service` and `dist/service` alike. */
function packageVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
