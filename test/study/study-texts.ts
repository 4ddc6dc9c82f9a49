/** Studies that several tests use. */

/** Section 4.1 of the study language. */
export const MINIMAL = `version: 1
name: first-study

datasets:
  panel:
    file: seeds/panel.csv

scenarios:
  more-yes:
    rows: 1000
    seed: 1
    shares:
      purchase.intent: { Yes: 0.70 }
`

/** Section 4.3: a matrix with exclude, override and include. */
export const MATRIX = `# yaml-language-server: $schema=./node_modules/whatif/schemas/study.v1.json
version: 1
name: brand-switching
description: How far does intent move by region?
owner: insights@example.org
tags: [q4, switching]

datasets:
  panel:
    file: seeds/panel-2026q3.csv
    display_name: Panel 2026 Q3

defaults:
  rows: 2000
  seed: 20261120
  format: parquet

scenarios:
  status-quo:
    description: No conditions at all, the model's own mix

  switch:
    ranges:
      age: { min: 18, max: 65 }
    matrix:
      axes:
        - name: region
          values:
            north: { shares: { region: { North: 1.0 } } }
            south: { shares: { region: { South: 1.0 } } }
        - name: intent
          set: [shares, purchase.intent, Yes]
          values: { low: 0.20, mid: 0.35, high: 0.50 }
      exclude:
        - { region: south, intent: high }
      override:
        - match: { intent: high }
          set: { rows: 4000 }
      include:
        - id: stress
          set:
            rows: 500
            shares:
              region: { South: 1.0 }
              purchase.intent: { Yes: 0.80, No: 0.20 }

baseline: status-quo
`

/** The same study as \`MATRIX\`, spelled as differently as YAML allows. */
export const MATRIX_RESPELLED = `\uFEFF# the same seven scenarios
baseline: "status-quo"
x-numbers: &north {North: 1}
scenarios:
  'switch':
    matrix:
      include: [{set: {shares: {"purchase.intent": {'No': 2e-1, "Yes": .8}, region: {South: 1}}, rows: 5e2}, id: stress}]
      override: [{set: {rows: 4.0e3}, match: {intent: high}}]
      exclude:
        - intent: 'high'
          region: "south"
      axes:
        - values:
            north:
              shares:
                region: *north
            south:
              shares: {region: {"South": 1.00}}
          name: "region"
        - {values: {low: 2.0e-1, mid: 35e-2, high: .5}, set: ["shares", 'purchase.intent', "Yes"], name: intent}
    ranges: {age: {max: 65.0, min: 0x12}}
  status-quo:
    tags: [a, b]
    description: >-
      folded
      text
defaults: {format: "parquet", seed: 20261120.0, rows: 2.0e+3}
datasets: {panel: {display_name: Another name, auto_clean: true, file: seeds/panel-2026q3.csv}}
name: 'brand-switching'
version: 1
`.replaceAll('\n', '\r\n')
