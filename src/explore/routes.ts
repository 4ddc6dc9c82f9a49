import { ask } from './ask.ts'
import { whatIsNeeded, whatMatters } from './ask-backwards.ts'
import type { Explored } from './explored.ts'
import type { StudyOnDisk } from './keep/study-on-disk.ts'
import { movedBesides } from './moved-besides.ts'
import { naturalCells } from './natural-cells.ts'
import type { ExploredDataset, Refused } from './wire/messages.ts'
import { readMessage } from './wire/read-message.ts'

type Routes = Readonly<Record<string, (body: string) => unknown>>

/** What the page can ask and keep. Nothing here generates or bills rows. */
export function exploreRoutes(dataset: ExploredDataset, explored: Explored, kept: StudyOnDisk | null): Routes {
  return {
    'GET /dataset': () => dataset,
    'POST /answers': readAs('answers', (question) => ask(explored, question)),
    'POST /besides': readAs('besides', (question) => movedBesides(explored, question)),
    'POST /cells': readAs('cells', (question) => naturalCells(explored, question)),
    'POST /matters': readAs('matters', (question) => whatMatters(explored, question)),
    'POST /needed': readAs('needed', (question) => whatIsNeeded(explored, question)),
    'POST /draft': readAs('kept', (scenarios) => kept?.draft(scenarios) ?? NO_FILE),
    'POST /save': readAs('save', (question) => kept?.save(question) ?? NO_FILE),
  }
}

const NO_FILE: Refused = {
  kind: 'refused',
  message:
    'The dataset has no file on this machine, so no study can name one. Start whatif explore with a seed file or a study.',
}

const readAs =
  <Kind extends Parameters<typeof readMessage>[0]>(
    kind: Kind,
    answer: (message: NonNullable<ReturnType<typeof readMessage<Kind>>>) => unknown,
  ) =>
  (body: string): unknown => {
    const message = readMessage(kind, body)
    return message === null ? null : answer(message)
  }
