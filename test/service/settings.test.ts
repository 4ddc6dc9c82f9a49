import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSettings } from '../../src/service/settings/read-settings.ts'
import { ALL_SETTINGS, readTraceSettings } from '../../src/service/settings/settings-table.ts'

const files: Record<string, string> = { '/run/token': 'token-from-a-file-of-mine\n', '/run/empty': ' \n' }
const readFile = (path: string) => {
  const text = files[path]
  if (text === undefined) throw Object.assign(new Error('not there'), { code: 'ENOENT' })
  return text
}
const read = (env: Record<string, string> = {}, flags: Record<string, unknown> = {}) =>
  readSettings({ flags, env, readFile })

const S3 = {
  WHATIF_S3_ENDPOINT: 'https://s3.example/',
  WHATIF_S3_BUCKET: 'studies',
  WHATIF_S3_ACCESS_KEY_ID: 'AK',
  WHATIF_S3_SECRET_ACCESS_KEY: 'canary-secret-key',
}
const IDP = { WHATIF_IDP_ISSUER: 'https://idp.example/', WHATIF_IDP_JWKS_URL: 'https://idp.example/keys' }

describe('the settings of whatif serve', () => {
  it('have fallbacks, and leave the other defaults to the service', () => {
    expect(read()).toEqual({
      dataDir: 'whatif-data',
      host: '127.0.0.1',
      port: 8080,
      role: 'all',
      storage: 'known',
      quality: true,
      workers: 1,
      tenantQueue: 1000,
      splitRows: 2_000_000,
      clientQuestions: 5000,
      webhooks: 'public',
      jobDeadlineMinutes: 60,
      trainingCpuMinutes: 20,
      trainingScratchGb: 8,
      evidenceCap: { naturalShareFactor: 10, rowsPerSeedRow: 100 },
      migrate: true,
      claims: 'status',
      artifactBytes: 4 * 2 ** 30,
      deletionReserve: true,
      rateLimits: true,
      clientRate: { perSecond: 500, burst: 2000 },
      addressRate: { perSecond: 20, burst: 100 },
      drainSeconds: 0,
      logLevel: 'info',
      metrics: true,
      databasePool: 10,
      statementTimeoutMs: 30_000,
      objectStorage: null,
      identityProvider: null,
    })
  })

  it('come from the environment, and a flag has precedence', () => {
    const env = { WHATIF_SERVE_PORT: '9000', WHATIF_SERVE_PUBLIC_URL: 'https://a.example/x/', WHATIF_SERVE_HOST: '' }
    expect(read(env)).toMatchObject({ port: 9000, publicUrl: 'https://a.example/x', host: '127.0.0.1' })
    expect(read(env, { port: '9001', json: true })).toMatchObject({ port: 9001, publicUrl: 'https://a.example/x' })
  })

  it('are read completely', () => {
    const env = {
      WHATIF_SERVE_DATA: 'd',
      WHATIF_SERVE_AUTH_URL: 'https://auth.example',
      WHATIF_SERVE_ROLE: 'worker',
      WHATIF_SERVE_THREADS: '3',
      WHATIF_SERVE_WORKERS: '4',
      WHATIF_SERVE_TENANT_JOBS: '2',
      WHATIF_SERVE_TENANT_QUEUE: '50',
      WHATIF_SERVE_CLIENT_QUESTIONS: 'none',
      WHATIF_SERVE_SPLIT_ROWS: '1500000',
      WHATIF_SERVE_JOB_DEADLINE: '90',
      WHATIF_SERVE_TRAINING_CPU: '5',
      WHATIF_SERVE_TRAINING_SCRATCH: '2',
      WHATIF_SERVE_EVIDENCE_CAP: '2.5:40',
      WHATIF_SERVE_STORAGE: 'new',
      WHATIF_SERVE_CLAIMS: 'operator',
      WHATIF_SERVE_ON_APPROVAL: ' /usr/local/bin/tell  --team a ',
      WHATIF_SERVE_TENANT_BYTES: '20GiB',
      WHATIF_SERVE_ARTIFACT_BYTES: 'none',
      WHATIF_SERVE_DELETION_RESERVE: 'off',
      WHATIF_SERVE_TRUSTED_PROXY: '10.0.3.0/24, ::1',
      WHATIF_SERVE_MIGRATE: 'off',
      WHATIF_SERVE_RATE_LIMITS: 'off',
      WHATIF_SERVE_CLIENT_RATE: '0.5:2',
      WHATIF_SERVE_ADDRESS_RATE: '1:3',
      WHATIF_SERVE_DRAIN: '20',
      WHATIF_SERVE_LOG_LEVEL: 'warn',
      WHATIF_SERVE_METRICS: 'off',
      WHATIF_OPERATOR_TOKEN: 'operator-token-1',
      WHATIF_MASTER_KEY: 'a master key of at least 32 characters',
      DATABASE_URL: 'postgresql://u:p@db.example/whatif',
      WHATIF_SERVE_DATABASE_POOL: '40',
      WHATIF_SERVE_STATEMENT_TIMEOUT: '5',
      ...S3,
      WHATIF_S3_PUBLIC_ENDPOINT: 'https://files.example/',
      WHATIF_S3_REGION: 'eu-1',
      WHATIF_S3_PREFIX: 'team/',
      ...IDP,
      WHATIF_IDP_AUDIENCE: 'whatif',
      WHATIF_IDP_ALGORITHMS: 'PS256,EdDSA',
      WHATIF_IDP_TENANT_CLAIM: 'org',
    }
    expect(read(env)).toEqual({
      dataDir: 'd',
      host: '127.0.0.1',
      port: 8080,
      authUrl: 'https://auth.example',
      role: 'worker',
      threads: 3,
      workers: 4,
      tenantJobs: 2,
      tenantQueue: 50,
      splitRows: 1_500_000,
      clientQuestions: null,
      webhooks: 'public',
      jobDeadlineMinutes: 90,
      trainingCpuMinutes: 5,
      trainingScratchGb: 2,
      evidenceCap: { naturalShareFactor: 2.5, rowsPerSeedRow: 40 },
      storage: 'new',
      claims: 'operator',
      onApproval: ['/usr/local/bin/tell', '--team', 'a'],
      tenantBytes: 20 * 2 ** 30,
      artifactBytes: null,
      deletionReserve: false,
      trustedProxies: ['10.0.3.0/24', '::1'],
      quality: true,
      migrate: false,
      rateLimits: false,
      clientRate: { perSecond: 0.5, burst: 2 },
      addressRate: { perSecond: 1, burst: 3 },
      drainSeconds: 20,
      logLevel: 'warn',
      metrics: false,
      operatorToken: 'operator-token-1',
      masterKey: 'a master key of at least 32 characters',
      databaseUrl: 'postgresql://u:p@db.example/whatif',
      databasePool: 40,
      statementTimeoutMs: 5000,
      objectStorage: {
        endpoint: 'https://s3.example',
        publicEndpoint: 'https://files.example',
        region: 'eu-1',
        bucket: 'studies',
        prefix: 'team/',
        accessKeyId: 'AK',
        secretAccessKey: 'canary-secret-key',
      },
      identityProvider: {
        issuer: 'https://idp.example/',
        jwksUrl: 'https://idp.example/keys',
        audience: 'whatif',
        algorithms: ['PS256', 'EdDSA'],
        tenantClaim: 'org',
      },
    })
  })

  it('complete a group from its fallbacks', () => {
    expect(read(S3).objectStorage).toMatchObject({ region: 'us-east-1', prefix: '' })
    const { WHATIF_S3_ACCESS_KEY_ID: _id, WHATIF_S3_SECRET_ACCESS_KEY: _secret, ...place } = S3
    const without = { endpoint: 'https://s3.example', bucket: 'studies', region: 'us-east-1', prefix: '' }
    expect(read(place).objectStorage).toEqual(without)
    expect(read(IDP).identityProvider).toMatchObject({
      audience: null,
      algorithms: ['RS256', 'ES256'],
      tenantClaim: 'tenant_id',
    })
  })

  it('include a secret from a file', () => {
    expect(read({ WHATIF_OPERATOR_TOKEN_FILE: '/run/token' })).toMatchObject({
      operatorToken: 'token-from-a-file-of-mine',
    })
  })

  it.each([
    [{ flags: { port: '70000' } }, "--port '70000' is invalid: expected a port from 0 to 65535"],
    [{ env: { WHATIF_SERVE_PORT: '-1' } }, "WHATIF_SERVE_PORT '-1' is invalid: expected a port from 0 to 65535"],
    [{ flags: { threads: '0' } }, "--threads '0' is invalid: expected a whole number of at least 1"],
    [{ flags: { databasePool: '1' } }, "--database-pool '1' is invalid: expected a whole number from 2 to 9999"],
    [
      { env: { WHATIF_SERVE_STATEMENT_TIMEOUT: '0' } },
      "WHATIF_SERVE_STATEMENT_TIMEOUT '0' is invalid: expected whole seconds from 1 to 86400",
    ],
    [{ flags: { drain: '601' } }, "--drain '601' is invalid: expected whole seconds, at most 600"],
    [{ flags: { claims: 'mail' } }, "--claims 'mail' is invalid: expected one of status, operator"],
    [
      { flags: { clientQuestions: '0' } },
      "--client-questions '0' is invalid: expected a whole number of at least 1, or none",
    ],
    [{ flags: { onApproval: ' ' } }, "--on-approval ' ' is invalid: expected a program, with its arguments after it"],
    [{ flags: { role: 'boss' } }, "--role 'boss' is invalid: expected one of all, api, worker"],
    [{ flags: { metrics: 'yes' } }, "--metrics 'yes' is invalid: expected on or off"],
    [{ flags: { clientRate: '5' } }, "--client-rate '5' is invalid: expected PER_SECOND:BURST, such as 20:100"],
    [
      { flags: { evidenceCap: '10' } },
      "--evidence-cap '10' is invalid: expected TIMES:ROWS, both at least 1, such as 10:100",
    ],
    [
      { flags: { evidenceCap: '0.5:100' } },
      "--evidence-cap '0.5:100' is invalid: expected TIMES:ROWS, both at least 1, such as 10:100",
    ],
    [
      { flags: { evidenceCap: '10:Infinity' } },
      "--evidence-cap '10:Infinity' is invalid: expected TIMES:ROWS, both at least 1, such as 10:100",
    ],
    [{ flags: { clientRate: '0:1' } }, "--client-rate '0:1' is invalid: expected PER_SECOND:BURST, such as 20:100"],
    [
      { flags: { trustedProxy: 'proxy.example' } },
      "--trusted-proxy 'proxy.example' is invalid: expected addresses of proxies, or ranges no wider than /24 (IPv6: /64), such as 10.0.3.7",
    ],
    [
      { flags: { trustedProxy: '10.0.3.0/23' } },
      "--trusted-proxy '10.0.3.0/23' is invalid: expected addresses of proxies, or ranges no wider than /24 (IPv6: /64), such as 10.0.3.7",
    ],
    [
      { flags: { trustedProxy: 'fd00::/63' } },
      "--trusted-proxy 'fd00::/63' is invalid: expected addresses of proxies, or ranges no wider than /24 (IPv6: /64), such as 10.0.3.7",
    ],
    [
      { flags: { trustedProxy: '10.0.0.0/33' } },
      "--trusted-proxy '10.0.0.0/33' is invalid: expected addresses of proxies, or ranges no wider than /24 (IPv6: /64), such as 10.0.3.7",
    ],
    [
      { env: { DATABASE_URL: 'mysql://u:canary@h/d' } },
      'DATABASE_URL is invalid: expected a PostgreSQL address, postgresql://user:password@host:port/database',
    ],
    [
      { env: { WHATIF_OPERATOR_TOKEN: 'canary' } },
      'WHATIF_OPERATOR_TOKEN is invalid: expected at least 16 characters, all of them letters, digits or one of -._~+/',
    ],
    [{ env: { WHATIF_MASTER_KEY: 'canary' } }, 'WHATIF_MASTER_KEY is invalid: expected at least 32 characters'],
    [
      { env: { WHATIF_S3_BUCKET: 'b', WHATIF_S3_PREFIX: 'p' } },
      'object storage is partly configured (WHATIF_S3_BUCKET, WHATIF_S3_PREFIX), but missing: WHATIF_S3_ENDPOINT',
    ],
    [
      { env: { WHATIF_IDP_TENANT_CLAIM: 'org' } },
      'an identity provider is partly configured (WHATIF_IDP_TENANT_CLAIM), but missing: WHATIF_IDP_ISSUER, WHATIF_IDP_JWKS_URL',
    ],
    ...['none', 'HS256', 'RS256,HS512', ','].map((algorithms) => [
      { env: { ...IDP, WHATIF_IDP_ALGORITHMS: algorithms } },
      `WHATIF_IDP_ALGORITHMS '${algorithms}' is invalid: expected algorithms with public keys: ES256, ES384, ES512, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512`,
    ]),
    [
      { env: { ...S3, WHATIF_S3_ACCESS_KEY_ID: '' } },
      'WHATIF_S3_ACCESS_KEY_ID and WHATIF_S3_SECRET_ACCESS_KEY go together: set both or neither',
    ],
    [
      { env: { ...IDP, WHATIF_IDP_JWKS_URL: 'http://idp.example/keys' } },
      "WHATIF_IDP_JWKS_URL 'http://idp.example/keys' is invalid: expected an https address without user (http is allowed on loopback only)",
    ],
    [
      { env: { WHATIF_OPERATOR_TOKEN: 'operator-token-1', WHATIF_OPERATOR_TOKEN_FILE: '/run/token' } },
      'WHATIF_OPERATOR_TOKEN and WHATIF_OPERATOR_TOKEN_FILE are both set: unset one of them',
    ],
    [{ env: { DATABASE_URL_FILE: '/run/nowhere' } }, 'the file named by DATABASE_URL_FILE cannot be read (ENOENT)'],
    [
      { env: { DATABASE_URL_FILE: '/run/empty' } },
      'the file named by DATABASE_URL_FILE is empty: it should hold the secret',
    ],
  ] as [{ env?: Record<string, string>; flags?: Record<string, string> }, string][])(
    'refuse %j',
    ({ env = {}, flags = {} }, message) => {
      expect(() => read(env, flags)).toThrow(
        expect.objectContaining({ message, code: Object.keys(flags).length > 0 ? 'flag_invalid' : 'setting_invalid' }),
      )
      expect(message).not.toContain('canary')
    },
  )

  it('have no flag for a secret', () => {
    const open = ALL_SETTINGS.filter(({ variable }) => /SECRET|TOKEN$|MASTER_KEY|DATABASE_URL/.test(variable))
    expect(open).toHaveLength(4)
    for (const { flag, isSecret } of open) expect({ flag, isSecret }).toEqual({ flag: null, isSecret: true })
  })

  it('are in docs/service.md with the same words', () => {
    const rows = ALL_SETTINGS.map(({ flag, variable, isSecret, fallback, otherwise, meaning }) => {
      const names = [
        flag === null ? null : `\`${flag.replaceAll('|', '\\|')}\``,
        `\`${variable}\`${isSecret ? ' (`_FILE`)' : ''}`,
      ]
      const ifAbsent = fallback === null ? (otherwise ?? '') : fallback === '' ? 'empty' : `\`${fallback}\``
      return `| ${names.filter((name) => name !== null).join(', ')} | ${ifAbsent} | ${meaning} |`
    })
    const service = readFileSync(resolve(import.meta.dirname, '../../docs/service.md'), 'utf8')
    expect(service).toContain(['| Setting | Default | |', '| --- | --- | --- |', ...rows, ''].join('\n'))
  })
})

describe('traces', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector.example'

  it.each([
    ['no endpoint is named', {}],
    ['the exporter is none', { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
    ['they are disabled', { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }],
  ])('are off while %s', (_why, env) => {
    expect(readTraceSettings(env)).toBeNull()
  })

  it('need a known exporter', () => {
    expect(() => readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'zipkin' })).toThrow(
      "OTEL_TRACES_EXPORTER 'zipkin' is invalid: expected otlp or none",
    )
  })
})
