import type { Listr, ListrTask, ListrTaskWrapper } from 'listr2'

// biome-ignore lint/suspicious/noExplicitAny: listr2's wrapper is generic over renderers that we choose at run time
type Wrapper = ListrTaskWrapper<any, any, any>

type Ended = { readonly kind: 'done' | 'skipped' } | { readonly kind: 'failed'; readonly message: string }

/**
 * A line of the task list that lives from outside: events set its title and end it, while the list only waits. Titles
 * set before the list has started the task are kept.
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

  fail(message: string): void {
    this.#end({ kind: 'failed', message })
  }

  #end(how: Ended, title?: string): void {
    if (this.#ended) return
    if (title !== undefined) this.title = title
    this.#ended = how
    this.#settle?.()
  }

  /** The task as listr2 takes it. */
  get task(): ListrTask {
    return {
      title: this.#title,
      task: (_context, wrapper): Promise<void> | Listr => {
        this.#wrapper = wrapper
        wrapper.title = this.#title
        if (this.#output) wrapper.output = this.#output
        if (this.#children.length > 0)
          return wrapper.newListr(
            this.#children.map((child) => child.task),
            { concurrent: true, exitOnError: false },
          ) as unknown as Listr
        return new Promise((resolve, reject) => {
          this.#settle = () => {
            if (this.#ended?.kind === 'failed') reject(new Error(this.#ended.message))
            else {
              if (this.#ended?.kind === 'skipped') wrapper.skip(this.#title)
              resolve()
            }
          }
          if (this.#ended) this.#settle()
        })
      },
    }
  }
}
