import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Debian's Chromium; undefined where it is not installed. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))

export async function launchChromium(): Promise<Browser> {
  // Chromium's sandbox cannot be set up by root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return await chromium.launch({ executablePath: CHROMIUM as string, args, timeout: 0 })
}
