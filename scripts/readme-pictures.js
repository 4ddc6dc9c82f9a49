// The pictures of the README: drawings of the report of the coffee example, each as an SVG file with its own style.

import { escapeHtml } from '../dist/base/document/markup.js'
import { pageBlocks } from '../dist/base/document/page-blocks.js'
import { chooseAnswers } from '../dist/report/html/answer/choose-answers.js'
import { forestPlot } from '../dist/report/html/answer/forest-plot.js'
import { CHART_STYLE } from '../dist/report/html/charts/chart-style.js'
import { STYLE } from '../dist/report/html/page/style.js'
import { responseSection } from '../dist/report/html/sections/response-section.js'
import { scenarioNames } from '../dist/report/scenario-names.js'

/** Where a drawing stands in its picture. */
const EDGE = 16
const GAP = 36
const TITLE = 24
const CHART = 320

/**
 * The pictures by the name of their file. They depend on the manifest of the coffee example alone.
 *
 * @param {import('../dist/answers/manifest/parse-manifest.js').ReadManifest} read
 * @returns {Record<string, string>}
 */
export function readmePictures(read) {
  return { 'differences.svg': differences(read), 'curves.svg': curves(read) }
}

/** @param {import('../dist/answers/manifest/parse-manifest.js').ReadManifest} read */
function differences({ manifest }) {
  const [panel] = chooseAnswers(manifest).panels
  if (panel === undefined) throw new Error('the coffee example has no differences')
  const [wide] = drawingsIn(forestPlot(panel, scenarioNames(manifest)).text)
  const title = `Difference from ${panel.against} in points, with 95 % intervals`
  return picture(title, [{ title, drawing: wide, className: 'forest' }])
}

/** @param {import('../dist/answers/manifest/parse-manifest.js').ReadManifest} read */
function curves(read) {
  const all = drawingsIn(pageBlocks(responseSection(read)?.blocks ?? []).text)
  const shown = CURVES.map(([label, title]) => {
    const drawing = all.find((one) => one.label === label)
    if (drawing === undefined) throw new Error(`the coffee example has no curve of ${label}`)
    return { title, drawing, className: 'chart' }
  })
  return picture('What becomes of the outcomes with more members, with 95 % intervals', shown)
}

const CURVES = /** @type {const} */ ([
  ['purchase.intent Yes along members, region north', 'purchase.intent Yes'],
  ['purchase.intent Yes along members, region south', 'purchase.intent Yes'],
  ['mean of spend.last.month along members, region north', 'mean of spend.last.month'],
])

/**
 * The drawings of a page.
 *
 * @param {string} markup
 */
function drawingsIn(markup) {
  const found = markup.matchAll(
    /<svg class="(?:chart|\w+ forest)" viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]* aria-label="([^"]*)"[^>]*>(.*?)<\/svg>/gs,
  )
  return [...found].map(([, width, height, label, marks]) => ({
    width: Number(width),
    height: Number(height),
    label,
    marks: (marks ?? '').replaceAll(/ data-tip="[^"]*"/g, ''),
  }))
}

/**
 * Drawings beside each other, with a background and the colours of the reader's theme.
 *
 * @param {string} title
 * @param {readonly { title: string, className: string, drawing: ReturnType<typeof drawingsIn>[number] | undefined }[]} parts
 */
function picture(title, parts) {
  let x = EDGE
  let height = 0
  const placed = parts.map(({ title: heading, className, drawing }) => {
    if (drawing === undefined) throw new Error(`${heading}: it has no drawing`)
    const { width: own, height: tall, label, marks } = drawing
    const text = `<text class="outcome" x="${x}" y="${EDGE + 12}">${escapeHtml(heading)}</text>\n`
    const svg = `<svg class="${className}" x="${x}" y="${EDGE + TITLE}" width="${own}" height="${tall}" viewBox="0 0 ${own} ${tall}"><title>${label}</title>${marks}</svg>\n`
    x += Math.max(own, CHART) + GAP
    height = Math.max(height, tall)
    return text + svg
  })
  const [width, all] = [Math.ceil(x - GAP + EDGE), Math.ceil(height + TITLE + 2 * EDGE)]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${all}" width="${width}" height="${all}" role="img">
<title>${escapeHtml(title)}</title>
<style>
${style()}
</style>
<rect class="ground" width="${width}" height="${all}"/>
${placed.join('')}</svg>
`
}

/** The colours of both themes, and the rules for marks. Rules for the layout of a page are left out. */
function style() {
  const colours = [/:root\{[^}]*\}/, /@media \(prefers-color-scheme:dark\)\{:root\{[^}]*\}\}/].map(
    (block) => block.exec(STYLE)?.[0] ?? '',
  )
  const marks = `${STYLE}${CHART_STYLE}`
    .split('\n')
    .filter((line) => /^(svg[ .]|\.(grid|zero|interval|mark-|forest |chart \.|halo|curve|hit|median))/.test(line))
  return [...colours, ...marks, '.ground{fill:var(--surface)}'].join('\n')
}
