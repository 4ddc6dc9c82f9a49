import type { Settings } from '../../src/service/settings.ts'

/** Settings of a service in a test: any free port, no rate limits, no log, nothing from the environment. */
export function testSettings(settings: Partial<Settings> & { readonly dataDir: string }): Settings {
  return {
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    authUrl: null,
    identityProvider: null,
    databaseUrl: null,
    objectStorage: null,
    role: 'all',
    trustedProxies: [],
    masterKey: null,
    operatorToken: null,
    threads: 1,
    workers: 1,
    rateLimits: false,
    clientRate: { perSecond: 500, burst: 2000 },
    addressRate: { perSecond: 20, burst: 100 },
    lockTimeoutMs: 10_000,
    version: '0.0.0-test',
    logLevel: 'silent',
    metrics: true,
    ...settings,
  }
}
