import * as fs from 'node:fs/promises'
import { basename } from 'node:path'
import { writeAtomically, writeOnce } from '../../base/atomic-file.ts'
import { sha256Hex } from '../../base/sha256.ts'
import { loadStudy } from '../../study/load/load-study.ts'
import type { Draft, KeptScenarios, Refused, Saved, SaveQuestion } from '../wire/messages.ts'
import { addScenarios, type KeptText, type NewStudy, newStudy } from './kept-study.ts'

/** The study that scenarios are kept in. */
export interface StudyPlace {
  /** Absolute. */
  readonly path: string
  /** As somebody in the working folder would type it. */
  readonly shown: string
  /** The dataset's name in the study. */
  readonly dataset: string
  /** Its text when it was opened; null: there is no study yet, and `fresh` says what a new one holds. */
  readonly text: string | null
  readonly fresh: NewStudy | null
}

/**
 * Keeps scenarios of the page in a study file: adds to the one that was opened, or writes a new one. A file that somebody changed since
 * is left as it is.
 */
export class StudyOnDisk {
  readonly #place: StudyPlace
  #text: string | null

  constructor(place: StudyPlace) {
    this.#place = place
    this.#text = place.text
  }

  /** What would be written. */
  draft(kept: KeptScenarios): Draft | Refused {
    const made = this.#made(kept)
    if (typeof made === 'string') return { kind: 'refused', message: made }
    return {
      kind: 'draft',
      text: made.added.join('\n'),
      file: this.#place.shown,
      isNew: this.#text === null,
      onto: this.#base,
    }
  }

  async save({ onto, ...kept }: SaveQuestion): Promise<Saved | Refused> {
    // Pages of one command share this file: what a person has read is what is written.
    if (onto !== this.#base)
      return {
        kind: 'refused',
        message: `${this.#place.shown} was saved in another tab since. Nothing was written. Above is what would be written now.`,
      }
    const made = this.#made(kept)
    if (typeof made === 'string') return { kind: 'refused', message: made }
    const { path, shown } = this.#place
    const refused = (message: string): Refused => ({ kind: 'refused', message })
    try {
      if (this.#text === null) await writeOnce(fs, path, made.text)
      else {
        if ((await fs.readFile(path, 'utf8')) !== this.#text)
          return refused(
            `${shown} has changed since this page read it. Nothing was written. Start whatif explore again.`,
          )
        const { mode } = await fs.stat(path)
        await writeAtomically(fs, path, made.text, { mode: mode & 0o777 })
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST')
        return refused(`${shown} exists already. Nothing was written. Open it: whatif explore ${basename(shown)}.`)
      if (code === undefined) throw error
      return refused(
        `${shown} cannot be written (${code}). Nothing was written. Press Save again when it can, or copy the lines.`,
      )
    }
    this.#text = made.text
    return { kind: 'saved', file: shown, command: `whatif run ${shown}` }
  }

  get #base(): string {
    return sha256Hex(this.#text ?? '')
  }

  #made(kept: KeptScenarios): KeptText | string {
    const { dataset, fresh, path } = this.#place
    if (this.#text === null) return newStudy(fresh!, kept)
    const { study } = loadStudy(this.#text, { filename: basename(path), margins: 'unread' })
    return study === null ? 'The study has faults.' : addScenarios(this.#text, { study, dataset }, kept)
  }
}
