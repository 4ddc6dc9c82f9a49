import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, rows, scenarios } from './numbers.ts'

export const RECORD: Words['record'] = {
  page: {
    about: 'Was-wäre-wenn-Studie',
    skip: 'Zur Antwort springen',
    contents: 'Inhalt',
    noNetwork: 'Diese Datei braucht kein Netz.',
    madeBy: (tool, digest) => said`Erstellt von whatif ${tool} aus einem Manifest mit dem Hashwert ${digest}.`,
    figures: 'Zahlen',
    savePicture: 'Bild als SVG speichern',
  },
  findings: {
    title: 'Anmerkungen',
    more: (left, file) => said`${String(left)} weitere stehen in ${file}.`,
  },
  provenance: {
    title: 'Herkunft',
    toCite: 'Zum Zitieren',
    toRepeat: 'Zum Wiederholen',
    citation: ({ study, run, ended, tool, digest, studyDigest }) =>
      said`${study}: Was-wäre-wenn-Studie mit synthetischen Daten. Lauf ${run}, ${ended === null ? 'nicht beendet' : `beendet ${ended}`}, whatif ${tool}. Hashwert des Manifests ${digest}${studyDigest === null ? '' : said`${', Hashwert der Studie '}${studyDigest}`}.`,
    repeat: (file, hasChanges, command) =>
      said`Das Manifest nennt die Studiendatei nicht; sie heißt gewöhnlich ${file}. Dieselbe Studie, dieselben Ausgangsdateien, Startwerte und dasselbe Verfahren ergeben dieselben Zeilen. ${hasChanges ? 'Dateien unter Versionsverwaltung hatten Änderungen, die der Commit nicht enthält. ' : ''}${command} vergleicht die Manifeste zweier Läufe.`,
    run: 'Lauf',
    data: 'Daten und Modelle',
    results: 'Ergebnisse',
    scenarios,
    exitCode: (code, reasons) => `, Exit-Code ${code} (${reasons})`,
    notYet: 'noch nicht',
    uncommitted: ', mit nicht eingecheckten Änderungen',
    noFile: 'keine: ein Datensatz des Dienstes',
    terms: {
      run: 'Lauf',
      endedAs: 'Beendet als',
      started: 'Begonnen',
      ended: 'Beendet',
      service: 'Dienst',
      commit: 'Commit',
      scope: 'Geltungsbereich',
      manifestDigest: 'Hashwert des Manifests',
      studyDigest: 'Hashwert der Studie',
      dataset: 'Datensatz',
      seedFile: 'Ausgangsdatei',
      sha256: 'SHA-256 davon',
      fingerprint: 'Fingerabdruck',
      schema: 'Bereinigtes Schema',
      model: 'Modell',
      trained: 'Trainiert',
    },
    heads: {
      scenario: 'Szenario',
      status: 'Status',
      askedFor: 'Verlangt',
      rows: 'Zeilen',
      fill: 'Erfüllt',
      seed: 'Startwert',
      file: 'Datei',
    },
  },
  markdown: {
    cite: ({ digest, studyDigest, run, ended, tool }) =>
      said`Zum Zitieren: Hashwert des Manifests ${digest}${studyDigest === null ? '' : said`${', Hashwert der Studie '}${studyDigest}`}. Lauf ${run}, beendet ${ended}, whatif ${tool}.`,
    ready: (ready, all) => `${count(ready)} von ${scenarios(all)} fertig`,
    rows: (delivered, requested) => `${count(delivered)} von ${rows(requested)}`,
    run: (status, end, parts) => said`Lauf ${status}${end}: ${parts}.`,
    exitCode: (code, reasons) => said`, Exit-Code ${String(code)} (${reasons})`,
  },
}
