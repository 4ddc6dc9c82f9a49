import { RowKeys } from '../../src/engine/disclosure/row-keys.ts'
import type { Model } from '../../src/engine/model/model.ts'

/** The keys of a seed's rows, as a shared service has them. */
export const rowKeysOf = ({ rowCount }: Pick<Model, 'rowCount'>, secret = 'a secret of the installation'): RowKeys =>
  new RowKeys(new TextEncoder().encode(secret), rowCount)
