import type { Listr, ListrTask, ListrTaskState, ListrTaskWrapper } from 'listr2'

// biome-ignore lint/suspicious/noExplicitAny: listr2's wrapper is generic over renderers that we choose at run time
type Wrapper = ListrTaskWrapper<any, any, any>

type Ended =
  | { readonly kind: 'done' | 'skipped' | 'interrupted' }
  | { readonly kind: 'failed'; readonly message: string }

/** The state of listr2 that we use for what was interrupted: nothing here is ever rolled back, and it has a mark of its own. */
const INTERRUPTED = 'ROLLED_BACK' as ListrTaskState.ROLLED_BACK

/**
 * A line of the task list that lives from outside: events set its title and end it, while the list only waits. Titles
 * set before the list has started the task are kept. One with children ends when they have, and `end` says how.
 */
export class LiveTask {
  #title: string
  #output = ''
  #wrapper: Wrapper | null = null
  #ended: Ended | null = null
  #settle: (() => void) | null = null
  readonly #children: readonly LiveTask[]

  constructor(title: string, children: readonly LiveTask[] = []) {
    this.#title = title
    this.#children = children
  }

  set title(title: string) {
    this.#title = title
    if (this.#wrapper) this.#wrapper.title = title
  }

  /** One line under the title while the task runs. */
  set output(output: string) {
    this.#output = output
    if (this.#wrapper) this.#wrapper.output = output
  }

  done(title?: string): void {
    this.#end({ kind: 'done' }, title)
  }

  skip(title?: string): void {
    this.#end({ kind: 'skipped' }, title)
  }

  /** It was begun, and did not come to its end. */
  interrupt(title?: string): void {
    this.#end({ kind: 'interrupted' }, title)
  }

  fail(message: string): void {
    this.#end({ kind: 'failed', message })
  }

  /**
   * The mark of the first end stays. The title is the last one: a dataset that expired is made again. Only what is
   * skipped at the end of a run says nothing of a task that had ended.
   */
  #end(how: Ended, title?: string): void {
    const isOver = this.#ended?.kind === 'failed' || (this.#ended && how.kind === 'skipped')
    if (title !== undefined && !isOver) this.title = title
    if (this.#ended) return
    this.#ended = how
    this.#mark()
    this.#settle?.()
  }

  /** The list must know a task that is neither done nor failed. */
  #mark(): void {
    if (this.#ended?.kind === 'skipped') this.#wrapper?.skip(this.#title)
    if (this.#ended?.kind === 'interrupted' && this.#wrapper) this.#wrapper.task.state$ = INTERRUPTED
  }

  /** The task as listr2 takes it. */
  get task(): ListrTask {
    return {
      title: this.#title,
      task: (_context, wrapper): Promise<void> | Listr => {
        this.#wrapper = wrapper
        wrapper.title = this.#title
        if (this.#output) wrapper.output = this.#output
        this.#mark()
        if (this.#children.length > 0)
          return wrapper.newListr(
            this.#children.map((child) => child.task),
            { concurrent: true, exitOnError: false },
          ) as unknown as Listr
        return new Promise((resolve, reject) => {
          this.#settle = () => {
            if (this.#ended?.kind === 'failed') reject(new Error(this.#ended.message))
            else resolve()
          }
          if (this.#ended) this.#settle()
        })
      },
    }
  }
}
