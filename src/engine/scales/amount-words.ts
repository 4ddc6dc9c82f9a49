/**
 * The words around numbers that express amounts and bands, in all languages together: "less than", "o més", "years".
 */
import { PhraseTable } from './phrase-table.ts'

export type AmountWord =
  /** Before a number: less than, at most, more than, at least. */
  | { readonly kind: 'below' | 'at-most' | 'above' | 'at-least' }
  /** Behind a number: or less, or more. */
  | { readonly kind: 'or-less' | 'or-more' }
  /** Between two numbers: to. `alone`: before a single number it means at most. */
  | { readonly kind: 'to'; readonly alone: boolean }
  /** Between two numbers behind "between". */
  | { readonly kind: 'and' }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'number'; readonly value: number }
  /** Behind a number. */
  | { readonly kind: 'times'; readonly factor: number }
  /** A unit of time, in days. */
  | { readonly kind: 'period'; readonly days: number }
  /** A number and its unit of time in one. */
  | { readonly kind: 'duration'; readonly days: number }
  /** Between a number and a unit of time: "per week". */
  | { readonly kind: 'per' }
  /** The things that single numbers may count; a word that is not listed may appear only with bands. */
  | { readonly kind: 'counted' }
  /** The subject of numbers, also before them: "level 3". */
  | { readonly kind: 'degree' }
  /** A unit that all levels must have. */
  | { readonly kind: 'unit' }
  /** No amount; `without` if a noun follows. */
  | { readonly kind: 'none' | 'without' }

export const AMOUNT_WORDS = new PhraseTable<AmountWord>()

const add = (word: AmountWord, phrases: string) => AMOUNT_WORDS.add(phrases, word)

add(
  { kind: 'below' },
  `<, less than, fewer than, lower than, smaller than, younger than, under, below, menos de, menos que, menor{|es} de,
   menor{|es} que, inferior{|es} a, por debajo de, menys de, menys que, menor{|s} que, inferiors a, per sota de, moins de,
   inferieur{|e|s|es} a, weniger als, unter, junger als, kleiner als, meno di, meno che, inferior{e|i} a, sotto i, abaixo de,
   minder dan, onder, jonger dan, lager dan, mniej niz, ponizej`,
)
add(
  { kind: 'at-most' },
  `<=, ≤, up to, at most, no more than, not more than, maximum, max, menor o igual {a|que}, como maximo, com a maxim, jusqu a,
   au plus, au maximum, hochstens, maximal, al massimo, no maximo, hoogstens, maximaal, t m, najwyzej, maksymalnie`,
)
add(
  { kind: 'above' },
  `>, more than, greater than, higher than, larger than, older than, over, above, mas de, mas que, mayor{|es} de,
   mayor{|es} que, superior{|es} a, por encima de, mes de, mes que, major{|s} de, major{|s} que, superiors a, per sobre de, plus de,
   superieur{|e|s|es} a, mehr als, uber, alter als, grosser als, piu di, oltre, superior{e|i} a, mais de, mais que, maior que,
   acima de, meer dan, boven, ouder dan, hoger dan, wiecej niz, powyzej`,
)
add(
  { kind: 'at-least' },
  `>=, ≥, at least, no less than, not less than, minimum, mayor o igual {a|que}, major o igual {a|que}, al menos,
   por lo menos, como minimo, a partir de, a partir dels, com a minim, almenys, au moins, au minimum, ab, mindestens,
   wenigstens, almeno, a partire da, pelo menos, minstens, vanaf, co najmniej, przynajmniej`,
)
add(
  { kind: 'or-less' },
  `or less, and less, or fewer, and fewer, or under, and under, or below, and below, or lower, and lower, or younger,
   and younger, or smaller, o menys, i menys, o menos, y menos, ou menos, e menos, ou moins, et moins, oder weniger,
   und weniger, oder junger, und junger, o meno, e meno, of minder, en minder, of jonger, en jonger, lub mniej, i mniej`,
)
add(
  { kind: 'or-more' },
  `+, or more, and more, or over, and over, or above, and above, or higher, and higher, or greater, and greater, or older,
   and older, or up, and up, or larger, plus, o mes, i mes, o mas, y mas, ou plus, et plus, oder mehr, und mehr, oder alter,
   und alter, und daruber, oder daruber, o piu, e piu, e oltre, ou mais, e mais, of meer, en meer, of ouder, en ouder,
   lub wiecej, i wiecej`,
)
add({ kind: 'to', alone: true }, 'hasta, fins a, fins, bis, bis zu, fino a, ate, tot, tot en met, do')
add(
  { kind: 'to', alone: false },
  '-, to, through, thru, a, au, ad, al, until, and up to, but less than, but under, to under, a menos de',
)
add({ kind: 'and' }, 'and, y, i, e, et, und, en')
add(
  { kind: 'ignored' },
  `between, from, entre, de, des, desde, del, des de, dels, von, vom, zwischen, da, dai, dal, tra, fra, tussen, van, od,
   miedzy, about, approximately, approx, circa, ca, some, the, st, nd, rd, th`,
)

add({ kind: 'per' }, '/, per, each, every, cada, por, par, pro, ogni')

const NUMBERS: readonly (readonly [number, string])[] = [
  [0, 'zero'],
  [0.5, 'half a, half an, half, medio, mig, un demi, ein halbes, mezzo, meio, een half, pol'],
  [
    1,
    `a single, one, once, un{|o|a|e}, una vegada, un cop, una vez, une fois, ein{|e|en|er|em|es}, einmal, eins, een, eenmaal,
    um, uma, uma vez, una volta, jed{en|na|no}`,
  ],
  [2, 'two, twice, dos, dues, deux, zwei, zweimal, due, dois, duas, twee, dwa, dwie'],
  [3, 'three, tres, trois, drei, dreimal, tre, drie, trzy'],
  [4, 'four, cuatro, quatre, vier, quattro, quatro, cztery'],
  [5, 'five, cinco, cinc, cinq, funf, cinque, vijf, piec'],
  [6, 'six, seis, sis, sechs, sei, zes, szesc'],
  [7, 'seven, siete, set, sept, sieben, sette, sete, zeven, siedem'],
  [8, 'eight, ocho, vuit, huit, acht, otto, oito, osiem'],
  [9, 'nine, nueve, nou, neuf, neun, nove, negen, dziewiec'],
  [10, 'ten, diez, deu, dix, zehn, dieci, dez, tien, dziesiec'],
  [11, 'eleven'],
  [12, 'twelve, a dozen'],
]
for (const [value, phrases] of NUMBERS) add({ kind: 'number', value }, phrases)

add({ kind: 'times', factor: 1e3 }, 'k, thousand, thousands, thous, mil, mila, mille, tausend, tsd, duizend, tys')
add(
  { kind: 'times', factor: 1e6 },
  'm, mn, mio, million, millions, millon, millones, milions, milionen, millionen, milioni, mln',
)

const PERIODS: readonly (readonly [number, string])[] = [
  [1 / 86_400, 'second, seconds, sec, secs, segundos, segons, secondes, sekunden, secondi'],
  [1 / 1440, 'minute, minutes, min, mins, minutos, minuts, minuten, minuti, minut, minuty'],
  [
    1 / 24,
    'hour, hours, hr, hrs, h, hora, horas, hores, heure, heures, stunde, stunden, ora, ore, uur, godzin, godziny',
  ],
  [1, 'day, days, dia, dias, dies, jour, jours, tag, tage, tagen, giorno, giorni, dag, dagen, dzien, dni'],
  [
    7,
    'week, weeks, wk, wks, semana, semanas, setmana, setmanes, semaine, semaines, woche, wochen, settimana, settimane, weken, tydzien, tygodni',
  ],
  [
    30.4375,
    'month, months, mo, mes, meses, mesos, mois, monat, monate, monaten, mese, mesi, maand, maanden, miesiac, miesiecy',
  ],
  [
    365.25,
    'year, years, yr, yrs, ano, anos, any, anys, an, ans, annee, annees, jahr, jahre, jahren, anno, anni, jaar, jaren, rok, lata, lat',
  ],
]
for (const [days, phrases] of PERIODS) add({ kind: 'period', days }, phrases)
add({ kind: 'duration', days: 30.4375 }, 'month - to - month, month to month')

add(
  { kind: 'counted' },
  `%, percent, per cent, $, €, £, ¥, zł, usd, eur, gbp, euro, euros, eur, dollar, dollars, pound, pounds, zl, pln, old, of age,
   age, aged, time, times, vez, veces, vegada, vegades, cop, cops, fois, mal, volta, volte, vezes, keer, raz, razy, person,
   persons, people, persona, personas, persones, personnes, personen, persone, pessoas, osoba, osoby, osob, child, children,
   kid, kids, hijo, hijos, fill, fills, enfant, enfants, kind, kinder, figlio, figli, filho, filhos, kinderen, dziecko, dzieci,
   item, items, cup, cups, employee, employees, worker, workers, member, members, room, rooms, bedroom, bedrooms, car, cars,
   vehicle, vehicles, book, books, visit, visits, trip, trips, unit, units, piece, pieces, order, orders, glass, glasses,
   drink, drinks, cigarettes, friend, friends, point, points, star, stars, inhabitants, habitants, habitantes, einwohner, household, in`,
)
add({ kind: 'degree' }, 'grade, level, stage, phase, wave, step, tier, quartile, quintile, decile, rank, score')
add(
  { kind: 'unit' },
  'km, kilometers, kilometres, mile, miles, kg, g, lb, lbs, cm, mm, meter, meters, metres, ml, cl, l, gb, mb, tb',
)
add(
  { kind: 'none' },
  `none, nothing, zero times, not once, never, cap, ninguno, ninguna, ningun, nada, cap fill, aucun, aucune, keine, keiner, keins,
   kein, nessuno, nessuna, nenhum, nenhuma, geen, zaden, zadna, zadne`,
)
add({ kind: 'without' }, 'no, without, sin, sense, sans, ohne, senza, sem, zonder, bez')
