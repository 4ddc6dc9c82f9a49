import { ERROR_CATALOGUE } from '../../contract/errors.ts'
import { EXIT_CODES } from '../../runner/interface/exit-code.ts'
import { EXIT_MEANINGS, type ExitMeaning } from '../../runner/interface/exit-meanings.ts'
import { FAULT_MEANINGS } from '../../runner/interface/fault-meanings.ts'
import { DIAGNOSTIC_CATALOGUE } from '../../study/diagnostics/catalogue.ts'
import type { CatalogueEntry } from '../../study/diagnostics/diagnostic.ts'
import { suggest } from '../../study/diagnostics/did-you-mean.ts'
import { GATE_MEANINGS } from './gate-meanings.ts'
import { CALL_MEANINGS, EVIDENCE_MEANINGS, INTERVAL_MEANINGS, type Meaning } from './result-meanings.ts'
import { TEXT_MEANINGS, WORD_MEANINGS } from './word-meanings.ts'

/** Where a code comes from. */
export type CodeKind = 'diagnostic' | 'exit code' | 'gate' | 'word' | 'fault' | 'service error'

export interface Explanation {
  readonly kind: CodeKind
  readonly code: string
  /** A few words. */
  readonly title: string
  /** `error`, `warning`, `note`; `exit`, `gate`, `word`, `fault`; or `service`. */
  readonly label: string
  /** Paragraphs of plain text. */
  readonly text: readonly string[]
}

/** Every code that this program prints, or that its service answers with, in the order of the tables. */
export function allExplanations(): Explanation[] {
  return [
    ...Object.entries<CatalogueEntry>(DIAGNOSTIC_CATALOGUE)
      .sort(([a], [b]) => (a.slice(1) < b.slice(1) ? -1 : 1))
      .map(
        ([code, { severity, title, explanation }]): Explanation => ({
          kind: 'diagnostic',
          code,
          title,
          label: severity,
          text: [explanation],
        }),
      ),
    ...Object.entries<ExitMeaning>(EXIT_MEANINGS).map(([code, { title, explanation }]): Explanation => {
      const reasons = Object.entries(EXIT_CODES).flatMap(([reason, n]) => (String(n) === code ? [reason] : []))
      return {
        kind: 'exit code',
        code,
        title,
        label: 'exit',
        text: [explanation, ...(reasons.length > 0 ? [`In a manifest: ${reasons.join(', ')}.`] : [])],
      }
    }),
    ...meanings('gate', GATE_MEANINGS),
    ...meanings('word', { ...WORD_MEANINGS, ...TEXT_MEANINGS, ...EVIDENCE_MEANINGS, ...INTERVAL_MEANINGS }),
    ...meanings('fault', { ...FAULT_MEANINGS, ...CALL_MEANINGS }),
    ...Object.entries(ERROR_CATALOGUE).map(
      ([code, { status, title, cause, fix, retryable, support }]): Explanation => ({
        kind: 'service error',
        code,
        title: status === null ? 'in the error of a job or generation' : `${status} ${title}`,
        label: 'service',
        text: [cause, fix, `Repeat unchanged: ${retryable ? 'yes, with backoff' : 'no'}. ${support}`],
      }),
    ),
  ]
}

function meanings(kind: 'gate' | 'word' | 'fault', table: Readonly<Record<string, Meaning>>): Explanation[] {
  return Object.entries(table).map(([code, { title, explanation }]) => ({
    kind,
    code,
    title,
    label: kind,
    text: [explanation],
  }))
}

/**
 * What a code or word means, however it was typed: `s2103`, `exit 7`, `not started`, `shares:region`,
 * `partial_below_policy`; null if there is none of this name. A gate is named by the part before its colon.
 */
export function explainCode(typed: string): Explanation | null {
  const all = allExplanations()
  const name = codeWords(typed)
  const wanted = OTHER_NAMES.get(name) ?? name
  const exact = typed.trim().toLowerCase()
  const found = all.find(({ code }) => code.toLowerCase() === exact) ?? all.find(({ code }) => folded(code) === wanted)
  if (found !== undefined) return found
  const reasons: Record<string, number> = EXIT_CODES
  if (Object.hasOwn(reasons, wanted)) return all.find(({ code }) => code === String(reasons[wanted])) ?? null
  const [gate] = wanted.split(':')
  return all.find(({ kind, code }) => kind === 'gate' && (code === gate || code === SHORT_GATES[wanted])) ?? null
}

/** Fields of a manifest, by the words that summaries have for them. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([['departs', 'model_and_seed_differ']])

const SHORT_GATES: Readonly<Record<string, string>> = { mixed: 'mixed_model' }

const folded = (code: string): string => code.toLowerCase().replaceAll(/[\s_-]+/g, '_')

function codeWords(typed: string): string {
  return folded(typed.trim().replace(/^exit[ _-]*(code)?[ _-]*/i, ''))
}

/** The remedy for an unknown code: similar codes, or examples of codes. */
export function adviceFor(typed: string): string {
  const wanted = codeWords(typed)
  const codes = allExplanations()
  // One number is as near to a wrong one as the next.
  const byName = new Map(codes.map(({ code }) => [folded(code), code]))
  const near = /^\d*$/.test(wanted) ? [] : suggest(wanted, byName.keys()).map((name) => byName.get(name)!)
  if (near.length > 0) return `Did you mean ${near.join(' or ')}?`
  const exits = codes.filter(({ kind }) => kind === 'exit code').map(({ code }) => code)
  return /^\d+$/.test(wanted)
    ? `Exit codes are ${exits.slice(0, -1).join(', ')} and ${exits.at(-1)}.`
    : 'Codes look like S2103 or W3101 (diagnostics), 7 (exit codes), mixed_model (gates), not_started (words), svc_not_found (the service). whatif explain alone lists all.'
}

const CHAPTERS: readonly { readonly kind: CodeKind; readonly title: string; readonly lead: string }[] = [
  {
    kind: 'diagnostic',
    title: 'Diagnostics of study files',
    lead: 'S is an error, W a warning, N a note. Each is printed with file, line and column.',
  },
  { kind: 'exit code', title: 'Exit codes', lead: 'Of several causes, the first in the table of commands.md wins.' },
  {
    kind: 'gate',
    title: 'Gates',
    lead: 'Summaries and manifests name the gate and, after a colon, what it is about: `shares:region`.',
  },
  {
    kind: 'word',
    title: 'Words of summaries, plans and reports',
    lead: 'Statuses, actions, reasons, evidence, and how sure differences are.',
  },
  {
    kind: 'fault',
    title: 'Faults',
    lead: 'The word in brackets after an error, unless it is a code of the service.',
  },
  {
    kind: 'service error',
    title: 'Codes of the service',
    lead: 'The `code` of a problem, or of the error of a job or generation.',
  },
]

/** `docs/codes.md`: all that `whatif explain` knows, as Markdown. */
export function codesPage(): string {
  const all = allExplanations()
  const chapter = ({ kind, title, lead }: (typeof CHAPTERS)[number]) =>
    [`## ${title}`, lead, ...all.filter((explanation) => explanation.kind === kind).map(entry)].join('\n\n')
  return `${['# Codes', 'What `whatif explain CODE` prints, for all codes. `npm run docs:codes` writes this page.', ...CHAPTERS.map(chapter)].join('\n\n')}\n`
}

function entry({ code, title, text }: Explanation): string {
  return [`### ${code}`, `**${title}.** ${text[0]}`, ...text.slice(1)].join('\n\n')
}
