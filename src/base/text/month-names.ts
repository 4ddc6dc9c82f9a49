import { foldLetters } from './folded-words.ts'

/** Names of months as dates have them, without accents as `foldLetters` leaves them, and abbreviations that do not begin a name. */
const NAMES = `
january januar janvier enero gennaio janeiro januari stycznia styczen gener ianuarie ocak ledna января январь ιανουαριου يناير
february februar fevrier febrero febbraio fevereiro februari lutego luty febrer februarie subat unora февраля февраль φεβρουαριου فبراير
march marz mars marzo marco maart marca marzec marc mrz mrt marts martie mart brezna марта μαρτιου مارس
april avril abril aprile kwietnia kwiecien apr aprilie nisan dubna апреля апрель απριλιου ابريل
may mai mayo maggio maio mei maja maj maig mayis kvetna мая маи μαιου مايو
june juni juin junio giugno junho czerwca czerwiec juny iunie haziran cervna июня июнь ιουνιου يونيو
july juli juillet julio luglio julho lipca lipiec juliol iulie temmuz cervence июля июль ιουλιου يوليو
august aout agosto augustus sierpnia sierpien agost augusti agustos srpna августа αυγουστου اغسطس
september septembre septiembre settembre setembro setembre wrzesnia wrzesien septembrie eylul zari сентября сентябрь σεπτεμβριου سبتمبر
october oktober octobre octubre ottobre outubro pazdziernika pazdziernik octombrie ekim rijna октября октябрь οκτωβριου اكتوبر
november novembre noviembre novembro listopada listopad noiembrie kasim listopadu ноября ноябрь νοεμβριου نوفمبر
december dezember decembre diciembre dicembre dezembro desembre grudnia grudzien decembrie aralik prosince декабря декабрь δεκεμβριου ديسمبر`
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
