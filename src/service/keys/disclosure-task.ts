import { createHmac, type KeyObject } from 'node:crypto'
import type { Disclosure } from '../../engine/disclosure/rounded-counts.ts'
import { RowKeys } from '../../engine/disclosure/row-keys.ts'
import type { Model } from '../../engine/model/model.ts'
import type { Settings } from '../settings/settings.ts'

/** What a worker needs to know of disclosure: the key of `ServiceKeys`, as bytes; null: figures are the owner's. */
export type DisclosureTask = Uint8Array | null

export function disclosureTask({ disclosure }: Pick<Settings, 'disclosure'>, rowKeys: KeyObject): DisclosureTask {
  return disclosure === 'exact' ? null : new Uint8Array(rowKeys.export())
}

/** They go with their model. */
const known = new WeakMap<Pick<Model, 'rowCount'>, RowKeys>()

/**
 * The keys of a model's rows. Equal models of one installation have equal keys, so that neither another process nor another
 * training of the same file has other noise.
 *
 * @param checksum Of the model's file.
 */
export function disclosureOf(
  task: DisclosureTask,
  { model, checksum }: { readonly model: Pick<Model, 'rowCount'>; readonly checksum: string },
): Exclude<Disclosure, 'protected'> {
  if (task === null) return 'exact'
  let keys = known.get(model)
  if (keys === undefined) {
    keys = new RowKeys(createHmac('sha256', task).update(`rows of ${checksum}`).digest(), model.rowCount)
    known.set(model, keys)
  }
  return keys
}
