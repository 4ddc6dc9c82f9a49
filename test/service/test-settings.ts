import { completeSettings } from '../../src/service/settings/complete-settings.ts'
import type { Settings } from '../../src/service/settings/settings.ts'

/** Settings of a service in a test: one thread, no rate limits, no operator unless it is given. */
export function testSettings(settings: Partial<Settings> & { readonly dataDir: string }): Settings {
  return completeSettings({
    operatorToken: null,
    threads: 1,
    rateLimits: false,
    version: '0.0.0-test',
    ...settings,
  })
}
