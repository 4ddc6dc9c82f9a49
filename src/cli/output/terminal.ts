/** What the terminal can show. Decided once per command and passed on. */
export interface Terminal {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  /** ANSI colours on stderr. */
  readonly color: boolean
  /** A person is watching: progress may redraw itself, and questions may be asked. */
  readonly interactive: boolean
  /** Columns of the terminal; 80 without one. */
  readonly width: number
}

export function describeTerminal(flags: { readonly color?: boolean | undefined }, env: NodeJS.ProcessEnv): Terminal {
  const { stdout, stderr } = process
  // A CI system may provide a pseudo-terminal, but nobody sits at it.
  const interactive = stderr.isTTY === true && stdout.isTTY === true && !env.CI
  return {
    stdout,
    stderr,
    interactive,
    color: flags.color !== false && !env.NO_COLOR && stderr.isTTY === true && env.TERM !== 'dumb',
    // A terminal that does not know its width says 0.
    width: stdout.columns || 80,
  }
}
