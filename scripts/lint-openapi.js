// Lints the OpenAPI document by the rules that most people have: `recommended` of Redocly and `spectral:oas` of Spectral, as
// their own commands do without any configuration. Prints what each found, and fails when either has an error or a warning.
//
//   node scripts/lint-openapi.js                                    the document of this build
//   node scripts/lint-openapi.js http://127.0.0.1:8080/openapi.json one that a service serves
//   node scripts/lint-openapi.js openapi.json                       one in a file

import { readFile } from 'node:fs/promises'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { buildOpenApi } from '../dist/contract/openapi/openapi.js'

/** Spectral's levels, most severe first. */
const SEVERITIES = ['error', 'warning', 'information', 'hint']

const [place] = process.argv.slice(2)
const source = await read(place)
const found = [
  report('redocly lint (recommended)', await redocly(source)),
  report('spectral lint (spectral:oas)', await spectralOas(source)),
]
if (found.some((count) => count > 0)) process.exitCode = 1

/** @param {string | undefined} place */
async function read(place) {
  if (place === undefined) {
    const addresses = { baseUrl: 'https://service.test', authUrl: 'https://identity.test' }
    return JSON.stringify(buildOpenApi(addresses), null, 2)
  }
  if (!/^https?:/.test(place)) return await readFile(place, 'utf8')
  const answer = await fetch(place)
  if (!answer.ok) throw new Error(`${place} answered with ${answer.status}; an OpenAPI document was expected.`)
  return await answer.text()
}

/** @param {string} source */
async function redocly(source) {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  return problems.map(({ severity, ruleId, message, location }) => ({
    severity: severity === 'warn' ? 'warning' : severity,
    rule: ruleId,
    message,
    place: location[0]?.pointer ?? '#/',
  }))
}

/** @param {string} source */
async function spectralOas(source) {
  const linter = new spectral.Spectral()
  linter.setRuleset({ extends: [rulesets.oas] })
  const problems = await linter.run(source)
  return problems.map(({ severity, code, message, path }) => ({
    severity: SEVERITIES[severity] ?? String(severity),
    rule: String(code),
    message,
    place: `#/${path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`,
  }))
}

/**
 * @param {string} linter
 * @param {readonly { severity: string, rule: string, message: string, place: string }[]} problems
 */
function report(linter, problems) {
  const count = (severity) => problems.filter((problem) => problem.severity === severity).length
  console.log(`${linter}: ${count('error')} errors, ${count('warning')} warnings, ${problems.length} findings in all`)
  for (const { severity, rule, message, place } of problems)
    console.log(`  ${severity} ${rule} at ${place}: ${message}`)
  return problems.length
}
