import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A command that has not ended after this time is ended, in milliseconds. */
const TIME_LIMIT_MS = 30_000

/** Variables that the command gets. It gets no others, because the service's own environment holds its secrets. */
const ENVIRONMENT = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SYSTEMROOT']

export interface Approval {
  readonly requestId: string
  readonly contactEmail: string
  readonly clientId: string
  /** Null unless the operator distributes the tokens. */
  readonly claimToken: string | null
}

/**
 * Runs the operator's command after an approval, as program and arguments without a shell. The applicant's text is only
 * in its environment, where nothing expands it. Resolves to null if the command succeeded, otherwise to the reason of
 * its failure.
 */
export async function runApprovalCommand(command: readonly string[], approval: Approval): Promise<string | null> {
  const [program = '', ...parameters] = command
  const env: NodeJS.ProcessEnv = {
    WHATIF_REQUEST_ID: approval.requestId,
    WHATIF_CONTACT_EMAIL: approval.contactEmail,
    WHATIF_CLIENT_ID: approval.clientId,
    ...(approval.claimToken !== null && { WHATIF_CLAIM_TOKEN: approval.claimToken }),
  }
  for (const name of ENVIRONMENT) if (process.env[name] !== undefined) env[name] = process.env[name]
  try {
    const child = spawn(program, parameters, {
      env,
      shell: false,
      stdio: 'ignore',
      timeout: TIME_LIMIT_MS,
      killSignal: 'SIGKILL',
      windowsHide: true,
    })
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    if (signal !== null) return `it was ended by ${signal}`
    return code === 0 ? null : `it ended with ${code}`
  } catch (error) {
    return `it cannot be started (${(error as NodeJS.ErrnoException).code})`
  }
}
