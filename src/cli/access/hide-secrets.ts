import { fstatSync } from 'node:fs'
import type { Command } from 'commander'
import { maskCommands } from '../ci/annotations.ts'
import { isForGitHub } from '../options/option-values.ts'
import { hideSecret, writeCommands } from '../output/output-guard.ts'

/**
 * Hides a command's secrets before it does anything: in our own output and, in GitHub Actions, by masks that hold for the rest
 * of the job. The code that needs a secret reports faults of its source.
 */
export async function hideSecretsOf(action: Command, env: NodeJS.ProcessEnv): Promise<void> {
  const flags = action.opts()
  hideSecrets(await secretsGiven(action, flags, env), isForGitHub(flags.reporter, env))
}

/** The same for secrets that a command gets while it works. */
export function hideSecrets(secrets: readonly string[], isGitHub: boolean): void {
  for (const secret of secrets) hideSecret(secret)
  if (isGitHub && !isKept(process.stderr)) writeCommands(process.stderr, [...new Set(secrets)].flatMap(maskCommands))
}

async function secretsGiven(
  action: Command,
  flags: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): Promise<string[]> {
  if (action.name() === 'serve' || action.parent?.name() === 'storage')
    return (await import('./service-secrets.ts')).serviceSecrets(flags, env)
  if (action.parent?.name() === 'operator') return (await import('./service-secrets.ts')).operatorSecrets(flags, env)
  if (action.name() === 'verify') return (await import('./storage-secrets.ts')).storageSecrets(env)
  if (!action.options.some(({ long }) => long === '--service')) return []
  return (await import('./connection.ts')).secretsOf(flags, env)
}

/** The command that masks a secret contains it. The runner reads it from a pipe; in a file it would leak the secret. */
function isKept(stream: NodeJS.WriteStream): boolean {
  const { fd } = stream as { readonly fd?: number }
  try {
    return fd !== undefined && fstatSync(fd).isFile()
  } catch {
    return false
  }
}
