/** What an exit code means to whoever reads it (study language, "Exit codes"). */
export interface ExitMeaning {
  /** A few words, for tables. */
  readonly title: string
  /** One paragraph: what happened and what to do. */
  readonly explanation: string
}

/**
 * Every exit code of every command. The help, `whatif explain` and the table in docs/commands.md are made from, or held equal to, this
 * table; `exit-code.ts` says which cause ends a run with which of them.
 */
export const EXIT_MEANINGS = {
  0: {
    title: 'done',
    explanation:
      'Everything that was asked for is done, and every gate that can fail passed. There may be warnings. With --if-locked skip also: another run holds the lock, and this one did nothing.',
  },
  1: {
    title: 'unexpected error',
    explanation:
      'A fault of the program or of the machine, not of the study or the service. What was paid for is in the journal: running again resumes. A disk that became full or failed during the run is reported as such; otherwise run once more with --verbose for the stack, and report it.',
  },
  2: {
    title: 'usage',
    explanation:
      'The command line cannot be carried out: an unknown flag or value, a file that is not there, a selection that matches nothing, a disk that is full or may not be written to, something in the way of a result, a saved plan that is stale, or a billed run that nobody could be asked about. Nothing was sent. The message says what to change.',
  },
  3: {
    title: 'study file invalid',
    explanation:
      'The study file has faults that can be seen without any data. Each is reported with its place and a code; `whatif explain CODE` says more. Nothing was sent.',
  },
  4: {
    title: 'study does not fit the data',
    explanation:
      'The study names columns, levels or ranges that the cleaned data does not have, a dataset_id that is gone, or, with --locked, the data is not what the lock file says. No rows were generated. `whatif inspect` shows the cleaned schema.',
  },
  5: {
    title: 'authentication, configuration',
    explanation:
      'Credentials are missing, incomplete or refused, or the service is not allowed to this client. Nothing falls back silently to the embedded service: set all of the variables of a remote service, or none. `whatif auth status` shows how a request for access stands.',
  },
  6: {
    title: 'over budget or quota',
    explanation:
      'The most rows that the run could be billed for exceed the budget of the study (then nothing was sent), or the service answered 402 because the quota is used up (then nothing more was submitted, running jobs were collected, and the rest is not_started). Select fewer scenarios, or raise the budget in the study.',
  },
  7: {
    title: 'an upload or a generation failed',
    explanation:
      'At least one piece of work ended without a result; the manifest says which and why. A failed job is final: sending the same request again would only repeat the stored failure. Mend the cause, then use --retry-failed, which is new work and counts against the budget.',
  },
  8: {
    title: 'fewer rows than the policy accepts',
    explanation:
      'A scenario came back with fewer rows than requested, and the policy on partial results refuses that. The rows are kept, of exactly the requested mix, and were billed. Ask for fewer rows, change the shares or ranges that bind (the manifest names them), or accept partial results in the study.',
  },
  9: {
    title: 'a gate failed',
    explanation:
      'All rows arrived, but a gate, a check of a comparison or the rule on mixed models says no. The manifest holds what was expected and what was found. `whatif gate` judges again without generating anything.',
  },
  10: {
    title: 'another process holds the lock',
    explanation:
      'Another run of this study, or another process on the embedded service of this folder, is at work. Wait for it (--lock-timeout 10m, or --if-locked wait), or let the run be skipped (--if-locked skip). A holder that died is noticed by itself; whatif unlock removes what it left at once.',
  },
  11: {
    title: 'deadline or network: run again to resume',
    explanation:
      'The deadline passed, or the service could not be reached for too long. Work may still be running at the service; nothing is lost. Run the same command again: it collects what was paid for before it submits anything.',
  },
  12: {
    title: 'status: results too old or expiring',
    explanation:
      'What `whatif status` was asked to watch for is true: the last complete run is older than --max-age, or something expires within --expiring.',
  },
  20: {
    title: 'plan --detailed-exitcode: work is pending',
    explanation:
      'The study is valid and a run would do something. Without --detailed-exitcode this is exit code 0. Also of fmt --check: a study is valid and not in canonical form; `whatif fmt` writes it so. And of migrate-database --check: the database lacks migrations.',
  },
  130: {
    title: 'interrupted: run again to resume',
    explanation:
      'SIGINT (Ctrl-C). State and manifest were saved; jobs go on at the service, and the next run collects them. A second signal ends the process at once, which is safe as well.',
  },
  143: {
    title: 'terminated: run again to resume',
    explanation:
      'SIGTERM. State and manifest were saved; jobs go on at the service, and the next run collects them. A second signal ends the process at once, which is safe as well.',
  },
} as const satisfies Record<number, ExitMeaning>
