import { styleText } from 'node:util'
import { createLogUpdate } from 'log-update'
import { shortened } from '../../base/text/fit-text.ts'

const FRAME_MS = 80
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const DEFAULT_WIDTH = 80

type End = 'done' | 'failed' | 'skipped' | 'interrupted'

const MARKS: Readonly<Record<End, readonly [mark: string, color: 'green' | 'red' | 'yellow']>> = {
  done: ['✔', 'green'],
  failed: ['✖', 'red'],
  skipped: ['↓', 'yellow'],
  interrupted: ['■', 'red'],
}

/** How a frame is drawn: the spinner of the moment, the columns, and whether marks have colours. */
interface Look {
  readonly spinner: string
  readonly width: number
  readonly color: boolean
}

/** A line of a live list. Events set its title and end it. */
export class LiveLine {
  title: string
  /** One line under the title while it runs. */
  output = ''
  #end: End | null = null
  readonly #children: readonly LiveLine[]

  constructor(title: string, children: readonly LiveLine[] = []) {
    this.title = title
    this.#children = children
  }

  done(title?: string): void {
    this.#finish('done', title)
  }

  skip(title?: string): void {
    this.#finish('skipped', title)
  }

  /** It was begun, and did not come to its end. */
  interrupt(title?: string): void {
    this.#finish('interrupted', title)
  }

  fail(message: string): void {
    if (this.#end === null) this.output = message
    this.#finish('failed')
  }

  /**
   * The mark of the first end stays. The title is the last one: a dataset that expired is made again. Only what is
   * skipped at the end of a run says nothing of a line that had ended.
   */
  #finish(how: End, title?: string): void {
    const isOver = this.#end === 'failed' || (this.#end !== null && how === 'skipped')
    if (title !== undefined && !isOver) this.title = title
    this.#end ??= how
  }

  lines(look: Look): string[] {
    const shows = (text: string, indent: number) => shortened(text, look.width - indent)
    const hasOutput = this.output !== '' && (this.#end === null || this.#end === 'failed')
    // What went well is in the summary below the list.
    const children = this.#end === 'done' && this.#children.every((child) => child.#isWell) ? [] : this.#children
    return [
      `${this.#mark(look)} ${shows(this.title, 2)}`,
      ...(hasOutput ? [`  › ${shows(this.output, 4)}`] : []),
      ...children.flatMap((child) => child.lines({ ...look, width: look.width - 2 }).map((line) => `  ${line}`)),
    ]
  }

  get #isWell(): boolean {
    return this.#end === 'done' || this.#end === 'skipped'
  }

  #mark({ spinner, color }: Look): string {
    const running = this.#children.length > 0 ? '❯' : spinner
    const [mark, hue] = this.#end === null ? ([running, 'yellow'] as const) : MARKS[this.#end]
    return color ? styleText(hue, mark, { validateStream: false }) : mark
  }
}

export interface LiveList {
  /** Carries out work that writes to the stream itself. The list is not there meanwhile. */
  pause<T>(work: () => Promise<T>): Promise<T>
  /** Draws it a last time, and gives the stream back. */
  close(): void
}

/** Columns of a terminal; one that does not know its width says 0. */
export const widthOf = ({ columns }: NodeJS.WriteStream): number => columns || DEFAULT_WIDTH

/** Draws lines at a terminal again and again, each in one row of it. */
export function liveList(lines: readonly LiveLine[], stream: NodeJS.WriteStream, color: boolean): LiveList {
  const log = createLogUpdate(stream)
  let frame = 0
  const draw = () => {
    const look = { spinner: SPINNER[frame++ % SPINNER.length]!, width: widthOf(stream), color }
    log(lines.flatMap((line) => line.lines(look)).join('\n'))
  }
  const start = () => setInterval(draw, FRAME_MS).unref()
  let timer = start()
  return {
    async pause(work) {
      clearInterval(timer)
      log.clear()
      // Shows the cursor.
      log.done()
      try {
        return await work()
      } finally {
        timer = start()
      }
    },
    close() {
      clearInterval(timer)
      draw()
      log.done()
    },
  }
}
