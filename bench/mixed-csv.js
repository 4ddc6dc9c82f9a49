// Writes CSV files of any size that look like a survey with some registers joined to it: agreements, regions, towns, counts,
// money, dates; columns depend on three hidden traits of a row, so that trees find something to split on.
import { open } from 'node:fs/promises'

const AGREEMENTS = ['Strongly agree', 'Agree', 'Neither agree nor disagree', 'Disagree', 'Strongly disagree']
const TRAITS = 3
const MISSING_SHARE = 0.04
const PIECE_CHARACTERS = 1 << 22

/**
 * The cells of a column, made from a number in [0, 1) that follows its trait, and an independent one.
 *
 * @type {readonly ((level: number, other: number) => string)[]}
 */
const KINDS = [
  (level) => AGREEMENTS[Math.floor(5 * level)] ?? '',
  (level) => (2e4 * level * level).toFixed(2),
  (level) => `Region ${1 + Math.floor(60 * level * level)}`,
  (level) => (level < 0.5 ? 'Yes' : 'No'),
  (level) => String(18 + Math.floor(70 * level)),
  (level) => AGREEMENTS[Math.floor(5 * level * level)] ?? '',
  (level, other) => `"Region ${1 + Math.floor(60 * level * level)}, district ${1 + Math.floor(9 * other)}"`,
  (level) => String(Math.floor(11 * level)),
  (level) =>
    `20${10 + Math.floor(15 * level)}-${twoDigits(1 + ((level * 180) % 12))}-${twoDigits(1 + ((level * 4e3) % 28))}`,
  (level, other) => (other < 0.3 ? '0' : (90 * level).toFixed(1)),
]

/**
 * The same bytes for the same arguments.
 *
 * @param {string} path
 * @param {{ rows: number, columns: number }} size
 * @returns {Promise<number>} Bytes.
 */
export async function writeMixedCsv(path, { rows, columns }) {
  const random = lcg(20_260_101 + rows + columns)
  const traits = new Float64Array(TRAITS)
  const file = await open(path, 'wx')
  let bytes = 0
  let text = `${Array.from({ length: columns }, (_, i) => `question.${i + 1}`).join(',')}\n`
  for (let row = 0; row < rows; row++) {
    for (let t = 0; t < TRAITS; t++) traits[t] = random()
    for (let column = 0; column < columns; column++) {
      const level = 0.6 * /** @type {number} */ (traits[column % TRAITS]) + 0.4 * random()
      if (column > 0) text += ','
      if (random() >= MISSING_SHARE) text += KINDS[column % KINDS.length]?.(level, random())
    }
    text += '\n'
    if (text.length >= PIECE_CHARACTERS || row === rows - 1) {
      bytes += (await file.write(text)).bytesWritten
      text = ''
    }
  }
  await file.close()
  return bytes
}

/** @param {number} value */
function twoDigits(value) {
  return String(Math.floor(value)).padStart(2, '0')
}

/**
 * Linear congruential generator (Numerical Recipes): numbers in [0, 1).
 *
 * @param {number} seed
 */
function lcg(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
