import { allExplanations, type CodeKind, type Explanation } from './explain-code.ts'

const CHAPTERS: readonly { readonly kind: CodeKind; readonly title: string; readonly lead: string }[] = [
  {
    kind: 'diagnostic',
    title: 'Diagnostics of study files',
    lead: 'S is an error, W a warning, N a note. They are told with file, line and column.',
  },
  { kind: 'exit code', title: 'Exit codes', lead: 'Of several causes the first in the table of commands.md wins.' },
  {
    kind: 'gate',
    title: 'Gates',
    lead: 'What stands in a summary and in a manifest is the gate and, behind a colon, what it is about: `shares:region`.',
  },
  {
    kind: 'word',
    title: 'Words of summaries, plans and reports',
    lead: 'Statuses, actions, reasons, what is said of the evidence, and how sure differences are.',
  },
  {
    kind: 'fault',
    title: 'Faults',
    lead: 'The word in brackets behind an error, where it is not a code of the service.',
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
  return `${['# Codes', 'What `whatif explain CODE` prints, for all codes. Written by `npm run docs:codes`.', ...CHAPTERS.map(chapter)].join('\n\n')}\n`
}

function entry({ code, title, text }: Explanation): string {
  return [`### ${code}`, `**${title}.** ${text[0]}`, ...text.slice(1)].join('\n\n')
}
