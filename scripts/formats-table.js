// Run by `npm run formats:table`: reads every file that others wrote with the compiled reader, and prints what its index
// expects, what was got, and the verdict. Ends with 1 when a file does not meet its entry, with 2 when there are none.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readTable } from '../dist/formats/read-table.js'
import { UnreadableFileError } from '../dist/formats/reading/unreadable-file-error.js'
import { checkReading, SHARED_FOLDERS, shapeText, sharedFiles, tableShape } from '../test/formats/shared-index.js'

const FILE_WIDTH = 46
const EXPECTED_WIDTH = 22
const GOT_WIDTH = 22

const tempDir = await mkdtemp(join(tmpdir(), 'whatif-formats-'))
try {
  await printTable()
} finally {
  await rm(tempDir, { recursive: true, force: true })
}

async function printTable() {
  printLine('file', 'expected', 'got', 'verdict')
  let files = 0
  let met = 0
  for (const folder of SHARED_FOLDERS) {
    for (const file of sharedFiles(folder)) {
      const reading = await read(file.path)
      const { expected, isMet } = checkReading(file, reading)
      files++
      if (isMet) met++
      const got = 'refused' in reading ? `refused: ${reading.refused}` : shapeText(reading)
      printLine(`${folder.replace('formats/', '')}/${file.name}`, expected, got, isMet ? 'ok' : 'NO')
    }
  }
  process.stdout.write(`${met} of ${files} files meet their entry.\n`)
  process.exitCode = files === 0 ? 2 : met < files ? 1 : 0
}

async function read(path) {
  try {
    return tableShape(await readTable(path, { tempDir }))
  } catch (error) {
    if (error instanceof UnreadableFileError) return { refused: error.detail }
    return { refused: `NOT IN WORDS: ${error}` }
  }
}

function printLine(file, expected, got, verdict) {
  const cells = [fitted(file, FILE_WIDTH), fitted(expected, EXPECTED_WIDTH), fitted(got, GOT_WIDTH)]
  process.stdout.write(`${cells.join(' ')} ${verdict}\n`)
}

function fitted(text, width) {
  return (text.length > width ? `${text.slice(0, width - 1)}…` : text).padEnd(width)
}
