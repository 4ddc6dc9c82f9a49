// Real tables besides the three of the shared bench. Nothing was tuned on them. The file states the source of each and how it
// becomes a CSV file. It holds only recipes, never data.
//
// Every engine gets the table after our cleaning: without identifiers, constants and free text, multiple answers
// split, levels of fewer than 5 rows missing. Otherwise the scores would depend on which text a tool leaves out.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cleanTable } from '../dist/engine/clean.js'
import { openTableWriter } from '../dist/formats/open-table-writer.js'
import { readTable } from '../dist/formats/read-table.js'
import { runProgram } from './child-process.js'

/**
 * @typedef {{ kind: 'debian', package: string, path: string }
 *   | { kind: 'npm', package: string, version: string, path: string }
 *   | { kind: 'r', package: string, dataset: string }
 *   | { kind: 'shared', path: string }} Source
 * @typedef {object} FurtherTable
 * @property {string} name
 * @property {string} character Why it was chosen.
 * @property {Source} source
 * @property {string} origin Who collected it, and the version it was taken from.
 * @property {string} licence
 * @property {string} sha256 Of the file found at the source; of an R dataset, of what `write.csv` makes of it.
 * @property {string} target Column that train-on-synthetic predicts.
 */

/** @type {readonly FurtherTable[]} */
export const FURTHER_TABLES = [
  {
    name: 'diamonds',
    character: 'large, decimals on a grid, columns nearly functions of others',
    source: { kind: 'r', package: 'ggplot2', dataset: 'diamonds' },
    origin:
      'R package ggplot2 3.4.1 (Debian r-cran-ggplot2), dataset diamonds: prices and measures of 53,940 round cut diamonds',
    licence: 'MIT',
    sha256: '9574730b03aba241d899c4a97511c5061b19358fab89510774fb6c24168345c4',
    target: 'price',
  },
  {
    name: 'birdstrikes',
    character: 'dates, amounts of money that are mostly 0, columns of many levels, missing speeds',
    source: { kind: 'npm', package: 'vega-datasets', version: '3.2.1', path: 'data/birdstrikes.csv' },
    origin:
      'npm vega-datasets 3.2.1, birdstrikes.csv: 10,000 wildlife strikes reported to the US Federal Aviation Administration',
    licence: 'U.S. Government dataset; the package BSD-3-Clause',
    sha256: '45777edf69984b37599e73dbfb34dbc976055243547407214261a4fcb9466462',
    target: 'Effect.Amount.of.damage',
  },
  {
    name: 'randhie',
    character: 'counts and heaped amounts, each person in several rows',
    source: {
      kind: 'debian',
      package: 'python3-statsmodels',
      path: '/usr/lib/python3/dist-packages/statsmodels/datasets/randhie/randhie.csv',
    },
    origin:
      'statsmodels 0.13.5 (Debian python3-statsmodels), randhie: RAND Health Insurance Experiment, 20,190 person-years',
    licence: 'public domain, as the package states; the package BSD-3-Clause',
    sha256: '9f6c87d05aef087a82cc4465310c8cd3f38327be6eafa43bd81fb98c4f3d088c',
    target: 'hlthg',
  },
  {
    name: 'fair',
    character: 'small, few columns, short scales written as numbers',
    source: {
      kind: 'debian',
      package: 'python3-statsmodels',
      path: '/usr/lib/python3/dist-packages/statsmodels/datasets/fair/fair.csv',
    },
    origin: 'statsmodels 0.13.5 (Debian python3-statsmodels), fair: survey of 6,366 women by Redbook, 1974 (Fair 1978)',
    licence: 'included with permission of the author; the package BSD-3-Clause',
    sha256: 'fd5f3f094a34fc35ca346a14c359e046ed27843038d6921efcd50a7ab21f6af0',
    target: 'rate.marriage',
  },
  {
    name: 'marketing',
    character: 'small, dates, sums of other columns, outliers',
    source: { kind: 'shared', path: 'data/surveys/marketing_campaign.csv' },
    origin: 'marketing_campaign.csv of 2,240 customers, beside the shared bench',
    licence: 'not stated; a widely redistributed teaching set',
    sha256: '96fe09eac0802d472c0860630bbf6a49fad4cbfaeb46d187277824c974da45e9',
    target: 'Response',
  },
  {
    name: 'coffee',
    character: 'survey of multiple answers, much of it missing for a reason',
    source: { kind: 'shared', path: 'data/surveys/coffee_survey.csv' },
    origin: 'Great American Coffee Taste Test, trimmed copy of 3,790 rows, beside the shared bench',
    licence: 'not stated',
    sha256: '05efa72d7732d096107a6baf0946179d45816ea7f7fcc702350d32a93a8ece64',
    target: 'prefer.overall',
  },
  {
    name: 'barometer',
    character: 'wide and short: a survey of 130 questions and 1,100 answers, from an SPSS file',
    source: { kind: 'shared', path: 'data/surveys/barometer_ceo.sav' },
    origin: 'opinion barometer of the Catalan Centre d’Estudis d’Opinió, beside the shared bench',
    licence: 'MIT (the repository it was taken from); open data of the centre',
    sha256: '5c0f5db9094c1506b221ba52a1b4fd0adb0059fff0a7fc567ab373ec484836f5',
    target: 'P9',
  },
]

/**
 * Writes the table as CSV.
 *
 * @param {FurtherTable} table
 * @param {{ out: string, sharedFolder: string, packages: string, mayFetch: boolean, tempDir: string }} places
 *   `packages`: folder for packages that are fetched; nothing is installed.
 * @returns {Promise<{ dropped: string[] } | { reason: string }>} Columns left out, or why there is no table.
 */
export async function prepareTable(table, { out, sharedFolder, packages, mayFetch, tempDir }) {
  const found = await findSource(table.source, { sharedFolder, packages, mayFetch, tempDir })
  if ('reason' in found) return found
  const sha256 = createHash('sha256')
    .update(await readFile(found.file))
    .digest('hex')
  if (sha256 !== table.sha256) {
    return { reason: `the file found is another version: its SHA-256 is ${sha256}, expected was ${table.sha256}` }
  }
  // The engines read CSV, and reading it may change a column again: one of a single level or nothing becomes 0 and 1.
  const dropped = await cleanInto(`${out}.part`, found.file, tempDir)
  await cleanInto(out, `${out}.part`, tempDir)
  await rm(`${out}.part`)
  return { dropped }
}

/**
 * Writes what reading and cleaning make of a file as CSV; the columns left out.
 *
 * @param {string} out
 * @param {string} file
 * @param {string} tempDir
 */
async function cleanInto(out, file, tempDir) {
  const raw = await readTable(file, { tempDir: join(tempDir, 'reading'), threads: 1 })
  const { table: clean, report } = cleanTable(raw, { autoClean: true })
  const columns = clean.columns.map((column) =>
    column.kind === 'categorical'
      ? { name: column.name, kind: column.kind, levels: column.levels, integer: column.integer }
      : column.format === null
        ? { name: column.name, kind: column.kind, integer: column.integer, decimals: column.decimals }
        : { name: column.name, kind: column.format },
  )
  const writer = await openTableWriter(`${out}.draft`, 'csv', columns, { tempDir: join(tempDir, 'writing') })
  await writer.write({ rowCount: clean.rowCount, columns: clean.columns })
  await writer.close()
  await rename(`${out}.draft`, out)
  return report.droppedColumns.map(({ name }) => name)
}

/**
 * @param {Source} source
 * @param {{ sharedFolder: string, packages: string, mayFetch: boolean, tempDir: string }} places
 * @returns {Promise<{ file: string } | { reason: string }>}
 */
async function findSource(source, { sharedFolder, packages, mayFetch, tempDir }) {
  switch (source.kind) {
    case 'shared': {
      const file = join(sharedFolder, source.path)
      return existsSync(file) ? { file } : { reason: `${source.path} is not beside the bench` }
    }
    case 'debian': {
      const unpacked = join(packages, source.package)
      const places = [source.path, join(unpacked, source.path)]
      if (mayFetch && !places.some(existsSync)) await fetchDebian(source.package, unpacked)
      const file = places.find(existsSync)
      return file ? { file } : { reason: `Debian's ${source.package} is not installed; --fetch downloads it` }
    }
    case 'npm': {
      const unpacked = join(packages, `${source.package}-${source.version}`)
      const file = join(unpacked, 'package', source.path)
      if (mayFetch && !existsSync(file)) await fetchNpm(`${source.package}@${source.version}`, unpacked)
      return existsSync(file)
        ? { file }
        : { reason: `npm's ${source.package} ${source.version} is not there; --fetch downloads it` }
    }
    case 'r': {
      const file = join(tempDir, `${source.dataset}.csv`)
      // Only the dataset is loaded: the package itself would need all its dependencies.
      const program = `e <- new.env(); lazyLoad(file.path(find.package("${source.package}"), "data", "Rdata"), e)
        write.csv(as.data.frame(e$${source.dataset}), ${JSON.stringify(file)}, row.names = FALSE)`
      try {
        await runProgram('Rscript', ['-e', program])
      } catch {
        return { reason: `Rscript with the package ${source.package} is not installed` }
      }
      return { file }
    }
  }
}

/**
 * @param {string} name
 * @param {string} folder
 */
async function fetchDebian(name, folder) {
  await mkdir(folder, { recursive: true })
  await runProgram('apt-get', ['download', '-q', name], { cwd: folder })
  await runProgram('sh', ['-c', 'for package in *.deb; do dpkg -x "$package" . || exit 1; done; rm *.deb'], {
    cwd: folder,
  })
}

/**
 * @param {string} specifier
 * @param {string} folder
 */
async function fetchNpm(specifier, folder) {
  await mkdir(folder, { recursive: true })
  const { stdout } = await runProgram('npm', ['pack', '--silent', specifier], { cwd: folder })
  const archive = join(folder, stdout.trim())
  await runProgram('tar', ['-xzf', archive], { cwd: folder })
  await rm(archive)
}
