import { fstatSync } from 'node:fs'
import type { Command } from 'commander'
import { maskCommands } from '../ci/annotations.ts'
import { isForGitHub } from '../options/option-values.ts'
import { hideSecret, writeCommands } from '../output/output-guard.ts'

/**
 * Hides what a command is given to keep, before it does anything: in our own output, and where GitHub Actions reads along, by
 * masks that hold for all that comes after it in the job. What is wrong with the places of secrets is told by who needs them.
 */
export async function hideSecretsOf(action: Command, env: NodeJS.ProcessEnv): Promise<void> {
  const flags = action.opts()
  hideSecrets(await secretsGiven(action, flags, env), isForGitHub(flags.reporter, env))
}

/** The same for secrets that a command is given while it works. */
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
  if (!action.options.some(({ long }) => long === '--service')) return []
  return (await import('./connection.ts')).secretsOf(flags, env)
}

/** The command that masks a secret holds it. The runner takes that from a pipe; in a file it would be the leak itself. */
function isKept(stream: NodeJS.WriteStream): boolean {
  const { fd } = stream as { readonly fd?: number }
  try {
    return fd !== undefined && fstatSync(fd).isFile()
  } catch {
    return false
  }
}
