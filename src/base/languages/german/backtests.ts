import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, istOrSind, plural, rows } from './numbers.ts'

export const BACKTESTS: Words['backtests'] = {
  title: 'Hat es je gestimmt?',
  done: (by, on) =>
    said`Jede Gruppe von ${by}, vorhergesagt aus den anderen, die auf ihre Anteile von ${on} umgewichtet sind.`,
  madeBy: (tool) => said`Erstellt von whatif ${tool}.`,
  unknown: (why) => `nichts ist bekannt: ${why}`,
  nothing: 'nichts konnte vorhergesagt werden',
  nearer: (nearer, predictions) =>
    `die umgewichtete Antwort liegt bei ${count(nearer)} von ${plural(predictions, 'Wert', 'Werten')} näher als die ungewichtete`,
  held: (held, told, misses) =>
    `; die 95-%-Intervalle enthalten die tatsächliche Antwort in ${count(held)} von ${count(told)} Fällen ${
      misses === 0
        ? '(durch Zufall verfehlt sie eines von zwanzig)'
        : `(durch Zufall ${misses === 1 ? 'verfehlt' : 'verfehlen'} sie etwa ${count(misses)})`
    }`,
  relative: (error, isBetter) =>
    `ihr Fehler beträgt ${error} des Fehlers ohne Umgewichtung${isBetter ? '' : ': Umgewichten hat nicht geholfen'}`,
  times: (ratio) => `das ${count(ratio)}-Fache`,
  byModels: ({ rows: of, nearer, predictions, held, error }) =>
    [
      `durch Modelle, die ohne die Gruppe trainiert wurden, aus je ${rows(of)}: bei ${count(nearer)} von ${plural(predictions, 'Wert', 'Werten')} näher als die ungewichtete Antwort`,
      ...(held === null
        ? []
        : [
            `in ${count(held[0])} von ${count(held[1])} Fällen innerhalb des Intervalls und des Zufallsrauschens der Erzeugung`,
          ]),
      ...(error === null ? [] : [`mit ${error} des Fehlers ohne Umgewichtung`]),
    ].join('; '),
  noneBeyond: 'kein Fehler ist überzufällig, gemeinsam beurteilt',
  someBeyond: (beyond, told) =>
    `${count(beyond)} von ${plural(told, 'Fehler', 'Fehlern')} ${istOrSind(beyond)} überzufällig, gemeinsam beurteilt: Die Gruppen unterscheiden sich in etwas, das diese Spalten nicht zeigen`,
  note: 'Ein Fehler ist die Vorhersage minus das, was die Gruppe geantwortet hat; ungewichtet ist der Fehler der anderen, wie sie sind. Sein Intervall berücksichtigt den Zufall beider Stichproben, jedes mit 95 %. Überzufällige Fehler (*) werden gemeinsam beurteilt. Ein Rückblick sagt nichts über Ursachen, über Spalten, nach denen niemand gefragt hat, oder über eine Gruppe, die keiner anderen gleicht.',
  notPredicted: (group, why) => said`${group} wird nicht vorhergesagt: ${why}.`,
  why: {
    no_match:
      'die anderen lassen sich nicht auf sie umgewichten, etwa weil keiner von ihnen eine ihrer Ausprägungen hat',
    too_few_rows: 'zu wenige Zeilen von ihr oder von den anderen',
  },
  heads: {
    figure: 'Wert',
    predicted: 'Vorhergesagt',
    actual: 'Tatsächlich',
    error: 'Fehler',
    interval: '95-%-Intervall',
    unweighted: 'Ungewichtet',
    byModel: 'Modell',
  },
  errors: 'Fehler',
  rowsLeft: 'Zeilen sind hier ausgelassen',
  smallerErrors: (figures) =>
    `${plural(figures, 'Wert', 'Werte')} mit kleineren Fehlern ${figures === 1 ? 'steht' : 'stehen'} nur in der Tabelle.`,
  firstGroups: (groups) => `Die Bilder zeigen die ersten ${groups} Gruppen.`,
  errorMark: 'Fehler, umgewichtet, mit 95-%-Intervall',
  nothingMark: 'Fehler ohne Umgewichtung',
  picture: (figure) => `Fehler von ${figure} nach Gruppe`,
  tip: (of) =>
    `${of.group}. ${of.figure}: vorhergesagt ${of.predicted}, tatsächlich ${of.actual}, Fehler ${of.error}, 95-%-Intervall ${of.interval}, ungewichtet ${of.unweighted}${of.isBeyond ? ', überzufällig' : ''}`,
}
