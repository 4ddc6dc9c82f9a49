/** The meaning of an exit code for its reader (study language, "Exit codes"). */
export interface ExitMeaning {
  /** A few words, for tables. */
  readonly title: string
  /** One paragraph: what happened and what to do. */
  readonly explanation: string
}

/**
 * Every exit code of every command. The help, `whatif explain` and the table in docs/commands.md are made from this
 * table, or tests compare them with it; `exit-code.ts` maps causes to codes.
 */
export const EXIT_MEANINGS = {
  0: {
    title: 'done',
    explanation:
      'All requested work is done, and every gate that can fail passed. There may be warnings. With --if-locked skip also: another run holds the lock, and this one did nothing.',
  },
  1: {
    title: 'unexpected error',
    explanation:
      'A fault of the program or of the machine, not of the study or the service. The journal holds the paid work, so running again resumes it. If the disk became full or failed, the message reports that; otherwise run once more with --verbose for the stack, and report it.',
  },
  2: {
    title: 'usage',
    explanation:
      'The command line cannot be carried out: an unknown flag or value, a missing file, a selection that matches nothing, a disk that is full or read-only, a file at the path of a result, a stale saved plan, or a billed run that nobody could confirm. Nothing was sent. The message names the remedy.',
  },
  3: {
    title: 'study file invalid',
    explanation:
      'The study file has faults that can be found without any data. Each is reported with its place and a code; `whatif explain CODE` has the details. Nothing was sent.',
  },
  4: {
    title: 'study does not fit the data',
    explanation:
      'The study names columns, levels or ranges that the cleaned data do not have, or a dataset_id that is gone; or, with --locked, the data differ from the lock file. No rows were generated. `whatif inspect` shows the cleaned schema. `whatif verify`: something differs from what the run recorded.',
  },
  5: {
    title: 'authentication, configuration',
    explanation:
      'Credentials are missing, incomplete or refused, or this client may not use the service. There is no silent fallback to the embedded service: set all of the variables of a remote service, or none. `whatif auth status` shows the status of a request for access.',
  },
  6: {
    title: 'over budget or quota',
    explanation:
      'The most rows that the run could be billed for exceed the budget of the study (then nothing was sent), or the service answered 402 because the quota is used up (then nothing more was submitted, running jobs were collected, and the rest is not_started). Select fewer scenarios, or raise the budget in the study.',
  },
  7: {
    title: 'an upload or a generation failed',
    explanation:
      'At least one training or generation ended without a result; the manifest names it and the reason. A failed job is final: sending the same request again would only repeat the stored failure. Remove the cause, then use --retry-failed, which is new work and counts against the budget.',
  },
  8: {
    title: 'fewer rows than the policy accepts',
    explanation:
      'A scenario returned fewer rows than requested, and the policy on partial results refuses that. The rows are kept. They have exactly the requested mix, and were billed. Ask for fewer rows, change the shares or ranges that bind (the manifest names them), or accept partial results in the study.',
  },
  9: {
    title: 'a gate failed',
    explanation:
      'All rows arrived, but a gate, a check of a comparison or the policy on mixed models failed. The manifest holds the expected and the actual values. `whatif gate` evaluates again without generating anything.',
  },
  10: {
    title: 'another process holds the lock',
    explanation:
      'Another run of this study, or another process on the embedded service of this folder, is active. Wait for it (--lock-timeout 10m, or --if-locked wait), or skip this run (--if-locked skip). The lock of a dead process is released automatically after a while; whatif unlock removes it at once.',
  },
  11: {
    title: 'deadline or network: run again to resume',
    explanation:
      'The deadline passed, or the service could not be reached for too long. Work may still be running at the service; nothing is lost. Run the same command again: it collects the paid work before it submits anything. whatif merge: a part of the study is missing or not complete; run it and merge again.',
  },
  12: {
    title: 'status: results too old or expiring',
    explanation:
      'A condition of `whatif status` is true: the last complete run is older than --max-age, or something expires within --expiring.',
  },
  20: {
    title: 'plan --detailed-exitcode: work is pending',
    explanation:
      'The study is valid and a run would do something. Without --detailed-exitcode this is exit code 0. fmt --check: a study is valid and not in canonical form; `whatif fmt` rewrites it. migrate-database --check: the database lacks migrations.',
  },
  130: {
    title: 'interrupted: run again to resume',
    explanation:
      'SIGINT (Ctrl-C). State and manifest were saved; jobs continue at the service, and the next run collects them. A second signal ends the process at once, which is safe as well.',
  },
  143: {
    title: 'terminated: run again to resume',
    explanation:
      'SIGTERM. State and manifest were saved; jobs continue at the service, and the next run collects them. A second signal ends the process at once, which is safe as well.',
  },
} as const satisfies Record<number, ExitMeaning>
