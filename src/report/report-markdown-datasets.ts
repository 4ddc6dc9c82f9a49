import type { Manifest } from '../manifest/manifest.ts'
import type { ModelQuality } from '../manifest/model-quality.ts'
import { codeText, markdownTable } from './markdown-text.ts'

const COUNT = new Intl.NumberFormat('en-US')

/** From what data: seed files, what cleaning left and dropped, and how good the models are where their service tells. */
export function datasetTables({ datasets }: Manifest): string[] {
  const all = Object.entries(datasets)
  const size = (rows: number, columns: number): string => `${COUNT.format(rows)} × ${COUNT.format(columns)}`
  const sources = all.map(([id, { source, sha256, cleaning }]) => [
    codeText(id),
    source === null ? 'trained earlier' : codeText(source),
    sha256 === null ? '–' : `\`${sha256}\``,
    cleaning === null ? '–' : size(cleaning.input_rows, cleaning.input_columns),
    cleaning === null ? '–' : size(cleaning.clean_rows, cleaning.clean_columns),
  ])
  const dropped = all.flatMap(([id, { cleaning }]) =>
    (cleaning?.dropped_columns ?? []).map(({ name, reason }) => [codeText(id), codeText(name), codeText(reason)]),
  )
  const quality = all.flatMap(([id, dataset]) =>
    dataset.quality === undefined ? [] : qualityRows(dataset.quality).map((row) => [codeText(id), ...row]),
  )
  const sizes = ['Rows × columns', 'After cleaning']
  return [
    ...markdownTable('Data', ['Dataset', 'Seed file', 'SHA-256', ...sizes], sizes, sources),
    ...markdownTable('Columns that cleaning dropped', ['Dataset', 'Column', 'Reason'], [], dropped),
    ...markdownTable(
      'Quality of the models',
      ['Dataset', 'Figure', 'Model', 'Real rows or chance'],
      ['Model', 'Real rows or chance'],
      quality,
      'Against rows held out of the training. Evidence, not a guarantee of privacy.',
    ),
  ]
}

function qualityRows({ column_shapes: shapes, pairs, c2st, copies, dcr }: ModelQuality): string[][] {
  const row = (figure: string, model: number, other: string | number): string[] => [
    figure,
    String(model),
    String(other),
  ]
  return [
    ...(shapes ? [row('shape of columns, 1 − TVD or 1 − KS', shapes.mean, shapes.reference)] : []),
    ...(pairs ? [row(`${COUNT.format(pairs.measured)} pairs of columns, 1 − TVD`, pairs.mean, pairs.reference)] : []),
    ...(c2st ? [row('told from real rows, C2ST AUC', c2st.auc, `0.5 ± ${c2st.chance}`)] : []),
    ...(copies ? [row('exact copies of rows trained on, share', copies.share, copies.reference)] : []),
    ...(dcr ? [row('nearer to a row trained on, DCR', dcr.nearer_training, `0.5 ± ${dcr.chance}`)] : []),
  ]
}
