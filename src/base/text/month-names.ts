import { foldLetters } from './folded-words.ts'

/** Names of months in the languages of the scales, as dates have them, and abbreviations that do not begin a name. */
const NAMES = `
january januar janvier enero gennaio janeiro januari stycznia styczen gener
february februar fevrier febrero febbraio fevereiro februari lutego luty febrer
march marz mars marzo marco maart marca marzec marc mrz mrt
april avril abril aprile kwietnia kwiecien apr
may mai mayo maggio maio mei maja maj maig
june juni juin junio giugno junho czerwca czerwiec juny
july juli juillet julio luglio julho lipca lipiec juliol
august aout agosto augustus sierpnia sierpien agost
september septembre septiembre settembre setembro setembre wrzesnia wrzesien
october oktober octobre octubre ottobre outubro pazdziernika pazdziernik
november novembre noviembre novembro listopada listopad
december dezember decembre diciembre dicembre dezembro desembre grudnia grudzien`
  .trim()
  .split('\n')
  .map((line) => line.split(' '))

const LEAST_LETTERS = 3
const known = new Map<string, number>()

/** The month that a word names in full or by its beginning, from 1; NaN for a word that names none, or several ("jui"). */
export function monthNamed(word: string): number {
  const found = known.get(word)
  if (found !== undefined) return found
  const folded = foldLetters(word).replace(/\.$/, '')
  const months = NAMES.flatMap((names, at) => (names.some((name) => name.startsWith(folded)) ? [at + 1] : []))
  const month = folded.length >= LEAST_LETTERS && months.length === 1 ? months[0]! : Number.NaN
  if (known.size < MOST_KNOWN) known.set(word, month)
  return month
}

/** Words that are looked up once. */
const MOST_KNOWN = 1_000
