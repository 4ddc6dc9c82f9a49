import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, hatOrHaben, istOrSind, plural, rows, scenarios } from './numbers.ts'

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

export const SECTIONS: Words['sections'] = {
  responses: {
    title: 'Entlang der Achsen',
    left: (outcomes) =>
      `Gezeichnet sind die Zielgrößen mit den stärksten Differenzen. Die Tabellen der Vergleiche enthalten ${plural(outcomes, 'weitere Zielgröße', 'weitere Zielgrößen')}.`,
    beyond: 'mit 95-%-Intervall, überzufällig',
    bandEnds: 'Enden der Intervalle, die für alle Punkte zugleich gelten',
    within: 'im Rahmen des Zufalls oder nicht beurteilbar',
    baseline: 'Basis',
    caption: ({ axis, held, outcome, where, what, against, from }) =>
      `Entlang ${axis}${held === '' ? '' : ` bei ${held}`}: ${outcome}${where === null ? '' : ` in Zeilen mit ${where}`} ${what}; Wert in ${against}: ${from}`,
    bars: (against) => `. Die Balken sind 95-%-Intervalle der Differenz gegenüber ${against}.`,
    inDays: (against) => ` Die Achse zählt Tage ab ${against}.`,
    atBothEnds: (figure) => `beträgt an beiden Enden ${figure}`,
    mayBeChance: (from, first, to, last) => `beträgt ${from} bei ${first} und ${to} bei ${last}, was Zufall sein kann`,
    changes: (isRise, from, first, to, last) =>
      `${isRise ? 'steigt' : 'fällt'} von ${from} (${first}) auf ${to} (${last})`,
    atEveryValue: (figure) => `beträgt bei jedem Wert ${figure}`,
    between: (low, high) => `liegt zwischen ${low} und ${high}, was Zufall sein kann`,
    extremes: (lowest, low, highest, high) =>
      `ist am niedrigsten bei ${lowest} (${low}) und am höchsten bei ${highest} (${high})`,
    heads: { axis: 'Achse', held: 'Festgehalten', value: 'Wert', number: 'Zahl' },
    label: (outcome, axis, held) => `${outcome} entlang ${axis}${held === '' ? '' : `, ${held}`}`,
    point: (value, to, difference, against) => `${value}: ${to}, ${difference} gegenüber ${against}`,
    interval: (interval) => `95-%-Intervall der Differenz ${interval}`,
  },
  axes: {
    share: (of) => `Anteil von ${of}`,
    leastShare: (of) => `kleinster Anteil von ${of}`,
    greatestShare: (of) => `größter Anteil von ${of}`,
    smallest: (column) => `kleinster Wert von ${column}`,
    largest: (column) => `größter Wert von ${column}`,
    mean: (column) => `Mittelwert von ${column}`,
    leastMean: (column) => `kleinster Mittelwert von ${column}`,
    greatestMean: (column) => `größter Mittelwert von ${column}`,
  },
  distributions: {
    title: 'Verteilungen',
    left: (distributions) =>
      `Gezeichnet sind die Szenarien, die sich am stärksten unterscheiden. ${plural(distributions, 'weitere Verteilung', 'weitere Verteilungen')} ${distributions === 1 ? 'würde' : 'würden'} wiederholen, was in den Tabellen der Vergleiche steht.`,
    baseline: 'Basis',
    scenario: 'Szenario',
    label: (column, against, scenario) => `${column}: ${against} und ${scenario}`,
    shares: (column, where, inRows, against) =>
      said`Anteile der Ausprägungen von ${column}${where === null ? '' : said`${' mit '}${where}`}${inRows ? ' in den erzeugten Zeilen' : ''}: ${against} (leere Balken) und jedes Szenario (volle Balken).`,
    numbers: ({ column, where, against, hasBins, hasQuantiles, isCut }) =>
      said`Verteilung von ${column} in den erzeugten Zeilen${where === null ? '' : said`${' mit '}${where}`}, ${against} und jedes Szenario: ${hasBins ? said`Die Stufen sind Anteile von Klassen (${against} als Fläche); ` : ''}${hasQuantiles ? 'die Linien reichen vom 5-%- zum 95-%-Quantil, die Balken liegen zwischen den Quartilen' : 'die Quantile mehrerer Wiederholungen zusammen sind nicht bekannt'}.${isCut ? ' Eine Zahl mit Pfeil ist der Anteil jenseits dieses Randes.' : ''}`,
    level: 'Ausprägung, %',
    figure: 'Kennzahl',
    values: 'Werte',
    deviation: 'Standardabweichung',
    days: (figure) => `${figure} Tage`,
    below: (edge) => `unter ${edge}, %`,
    above: (edge) => `über ${edge}, %`,
    more: (left) => `${left} weitere: siehe Zahlen`,
    tip: (name, median, quartiles, ends) =>
      `${name}: Median ${median}, Quartile ${quartiles.join(' und ')}, 5-%- und 95-%-Quantil ${ends.join(' und ')}`,
    median: (figure) => `Median ${figure}`,
  },
  targets: {
    title: 'Vorgaben und was erreicht wurde',
    all: 'Alle Vorgaben',
    shares: (met, shares, of) => {
      const given = `die ${scenarios(of)} ${of === 1 ? 'vorgibt' : 'vorgeben'}`
      if (met < shares)
        return `${count(met)} von ${plural(shares, 'Anteil', 'Anteilen')}, ${given}, sind auf die Zeile genau erreicht. `
      return shares === 1
        ? `Der eine Anteil, den ${scenarios(of)} ${of === 1 ? 'vorgibt' : 'vorgeben'}, ist auf die Zeile genau erreicht. `
        : `Alle ${count(shares)} Anteile, ${given}, sind auf die Zeile genau erreicht. `
    },
    ranges: (outside, ranges) => {
      if (outside > 0)
        return `${count(outside)} von ${plural(ranges, 'Bereich', 'Bereichen')} ${hatOrHaben(outside)} Zeilen außerhalb.`
      return ranges === 1
        ? 'Jede Zeile liegt im Bereich.'
        : `Jede Zeile liegt in ihren Bereichen (insgesamt ${count(ranges)}).`
    },
    means: (met, means) => {
      if (met === means)
        return means === 1 ? ' Der Mittelwert ist erreicht.' : ` Alle ${count(means)} Mittelwerte sind erreicht.`
      return ` ${count(met)} von ${plural(means, 'Mittelwert', 'Mittelwerten')} ${istOrSind(met)} auf ein Tausendstel erreicht.`
    },
    rules: (broken, rules) => {
      if (broken > 0) return ` Einige Zeilen verletzen ${count(broken)} von ${plural(rules, 'Regel', 'Regeln')}.`
      return rules === 1
        ? ' Jede Zeile hält die Regel der Studie ein.'
        : ` Jede Zeile hält die ${count(rules)} Regeln der Studie ein.`
    },
    withoutRows: (of) =>
      ` ${plural(of, 'weiteres Szenario', 'weitere Szenarien')} ${hatOrHaben(of)} keine Zeilen, an denen sich messen ließe.`,
    caption: (share, scenario, achieved, target) =>
      `Der größte Abstand ist der von ${share} in ${scenario}: ${achieved} statt ${target}.`,
    drawn: (shown, all) => ` Gezeichnet sind die ${shown} größten von ${count(all)}.`,
    target: 'Vorgabe',
    achieved: 'erreicht',
    chance: 'was allein der Zufall bei so vielen Zeilen bewirkt',
    picture: 'Vorgaben und erreichte Anteile',
    tip: (share, target, achieved, of) => `${share}: Vorgabe ${target}, erreicht ${achieved} von ${of} Zeilen`,
  },
  feasibility: {
    title: 'Zeilen und die Evidenz dahinter',
    all: 'Alle Szenarien',
    notReported: 'Der Dienst berichtet nicht, wie viele Zeilen der Ausgangsdaten ein Szenario stützen.',
    weakest: (isOne, of, scenario) =>
      said`Erzeugte Zeilen sind keine neuen Antworten. Die effektiven Zeilen sagen, auf wie vielen Zeilen der Ausgangsdaten ein Szenario beruht: ${isOne ? 'es sind' : 'am wenigsten sind es'} ${of}, in ${scenario}.`,
    tooWide: (group) =>
      said`${group} hat auf beiden Achsen zu viele Werte für eine Karte; die Zahlen stehen in der Tabelle.`,
    caption: (full, all, group) =>
      `${full === all ? `Alle ${count(all)}` : `${count(full)} von ${count(all)}`} Szenarien von ${group} ${hatOrHaben(full)} alle verlangten Zeilen; „Basis“ ist die Zahl der effektiven Zeilen der Ausgangsdaten dahinter, und eine kräftigere Farbe bedeutet mehr davon.`,
    replicates: ' Von den Wiederholungen eines Szenarios ist die schwächste gezeichnet.',
    drawn: (shown, all) => ` Gezeichnet sind ${shown} von ${all} Karten.`,
    scenariosOf: (group) => `Szenarien von ${group}`,
    heads: {
      askedFor: 'Verlangt',
      delivered: 'Geliefert',
      seedRows: 'Ausgangszeilen',
      tilt: 'Größte Verschiebung',
      inRange: 'Im Bereich',
      standardErrors: 'Standardfehler',
      support: 'Stützung',
      binds: 'Was begrenzt',
    },
    further: 'weitere Szenarien stehen im Manifest',
    meaning:
      'Ausgangszeilen sind effektive Zeilen. Ein Dienst, der seine Ausgangsdaten schützt, nennt sie als Spanne. Die Verschiebung ist das größte Verhältnis des Anteils einer Kombination zu ihrem üblichen Anteil. Wer erzeugte Zeilen auswertet, als wäre jede eine Person, multipliziert seine Standardfehler mit dem Faktor √(1 + Zeilen / Ausgangszeilen).',
    thin: 'schwach',
    enough: 'genug',
    notAsked: 'nicht gefragt',
    seed: (of) => `Basis ${of}`,
    tipRows: (counted, requested) => `${count(counted)} von ${count(requested)} Zeilen`,
    tipSeed: (of) => `${of} der Ausgangsdaten`,
    thinEvidence: 'schwache Evidenz',
    binds: (what) => `was begrenzt: ${what}`,
  },
  comparisons: {
    title: 'Vergleiche',
    against: (baseline) => said`gegenüber ${baseline}`,
    leftOut: (left, manifest, command) =>
      said`${rows(left)} sind hier ausgelassen. ${manifest} enthält alle, und ${command} schreibt sie.`,
    countedIn: (where, seedRows) =>
      said`Die Zielgrößen werden in Zeilen mit ${where} gezählt${seedRows === null ? '' : ` (${seedRows})`}.`,
    noResult: (names) => said`Kein Ergebnis zum Vergleichen: ${names}.`,
    insideSegments: (why) => `Intervalle innerhalb von Segmenten beruhen nicht auf den Ausgangsdaten: ${why}.`,
    segmentOf: (level, scenario) => said`${level} in ${scenario}`,
    emptySegments: (segments) => said`Auf einer Seite ohne Zeilen: ${segments}.`,
    sharesOf: (column) => said`Anteile von ${column}`,
    numbersOf: (figure, column) => said`${capital(figure)} von ${column}`,
    by: (column) => said` nach ${column}`,
    rows: 'Zeilen',
    size: (all, beyond) => `${rows(all)}, ${count(beyond)} überzufällig`,
  },
}
