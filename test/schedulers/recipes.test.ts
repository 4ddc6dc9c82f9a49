import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Job } from 'kubernetes-models/batch/v1'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { program } from '../../src/cli/main.ts'

const recipes = resolve(import.meta.dirname, '../../examples/schedulers')
const textOf = (file: string): string => readFileSync(join(recipes, file), 'utf8')
const files = readdirSync(recipes, { recursive: true, encoding: 'utf8' })

/** A folder in which `node_modules/.bin/whatif` prints its arguments, one a line. */
let project: string

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'whatif-recipes-'))
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true })
  const stub = join(project, 'node_modules/.bin/whatif')
  writeFileSync(stub, '#!/bin/sh\nprintf "%s\\n" "$@"\n')
  chmodSync(stub, 0o755)
})

afterAll(() => rmSync(project, { recursive: true, force: true }))

/** The arguments that a recipe calls whatif with. */
function calledWith(command: readonly string[], env: Readonly<Record<string, string>>): string[] {
  const [name = '', ...args] = command
  const { stdout, stderr, status } = spawnSync(name, args, { cwd: project, env: { PATH: process.env.PATH, ...env } })
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' })
  return String(stdout).trim().split('\n')
}

/** Holds the options of a call against those that the command has. */
async function expectKnown([name, ...args]: readonly string[]): Promise<void> {
  const command = (await program({})).commands.find((known) => known.name() === name)
  const known = command?.options.map(({ long }) => long) ?? []
  for (const option of args.filter((arg) => arg.startsWith('--'))) expect(known).toContain(option)
}

describe('the scripts', () => {
  it.each(files.filter((file) => /\.(?:sh|sbatch)$/.test(file)))('%s is a shell script', (file) => {
    expect(String(spawnSync('sh', ['-n', join(recipes, file)]).stderr)).toBe('')
  })

  it('of Slurm name the part and the count of the whole array', async () => {
    const env = { STUDY: 'grid.study.yaml', PARTS: '20', SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_COUNT: '1' }
    const part = calledWith(['sh', join(recipes, 'slurm/part.sbatch')], env)
    expect(part).toEqual(['run', 'grid.study.yaml', '--shard', '3/20'])
    const merge = calledWith(['sh', join(recipes, 'slurm/merge.sbatch')], env)
    expect(merge).toEqual(['merge', 'grid.study.yaml', '--shards', '20'])
    await expectKnown(part)
    await expectKnown(merge)
  })

  it('of AWS Batch count from 1, and merge in a job that is no element of an array', async () => {
    cpSync(join(recipes, 'aws-batch/part.sh'), join(project, 'part.sh'))
    const command = ['./part.sh', 'grid.study.yaml', '20']
    const part = calledWith(command, { AWS_BATCH_JOB_ARRAY_INDEX: '0' })
    expect(part.slice(-2)).toEqual(['--shard', '1/20'])
    expect(calledWith(command, { AWS_BATCH_JOB_ARRAY_INDEX: '19' }).at(-1)).toBe('20/20')
    const merge = calledWith(command, {})
    expect([merge[0], ...merge.slice(-2)]).toEqual(['merge', '--shards', '20'])
    await expectKnown(part)
    await expectKnown(merge)
  })
})

describe('the jobs for Kubernetes', () => {
  const jobs = ['parts', 'merge'].map((name) => parse(textOf(`kubernetes/${name}.yaml`)))

  it('are those of its API', () => {
    for (const job of jobs) expect(() => new Job(job).validate()).not.toThrow()
  })

  it('have one pod per part, which counts from 1', async () => {
    const [parts, merge] = jobs
    const [container] = parts.spec.template.spec.containers
    const [{ value: count }] = container.env
    expect(String(parts.spec.completions)).toBe(count)
    const command = [...container.command, ...container.args]
    const first = calledWith(command, { JOB_COMPLETION_INDEX: '0', PARTS: count })
    expect(first.slice(-2)).toEqual(['--shard', '1/20'])
    expect(calledWith(command, { JOB_COMPLETION_INDEX: '19', PARTS: count }).at(-1)).toBe('20/20')
    const merging = calledWith(merge.spec.template.spec.containers[0].command, {})
    expect(merging.slice(-2)).toEqual(['--shards', count])
    await expectKnown(first)
    await expectKnown(merging)
  })
})

describe('the workflow for GitHub', () => {
  const text = textOf('github/grid.yml')
  const workflow = parse(text)
  const runOf = (job: string, name: string): string =>
    workflow.jobs[job].steps.find((step: { name?: string }) => step.name === name).run

  it('names actions by commit', () => {
    const used = text.split('\n').filter((line) => /\buses:/.test(line))
    for (const line of used) expect(line).toMatch(/uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('has as many jobs as parts, and merges what they leave', async () => {
    const { STUDY, PARTS } = workflow.env
    const { part } = workflow.jobs.part.strategy.matrix
    expect(part).toEqual(Array.from({ length: PARTS }, (_, i) => i + 1))
    const env = { STUDY, PARTS: String(PARTS), PART: '2', GITHUB_RUN_ID: '77' }
    const run = calledWith(['bash', '--norc', '-ec', runOf('part', 'Run one part')], env)
    expect(run.slice(-4)).toEqual(['--out', 'parts', '--shard', '2/4'])
    const kept = workflow.jobs.part.steps.at(-1).with.path.replace(/\$\{\{ matrix\.part \}\}/, '2')
    expect(kept).toBe('parts/shard-2-of-4')
    const merge = calledWith(['bash', '--norc', '-ec', runOf('merge', 'Merge')], env)
    expect(merge).toEqual(['merge', STUDY, 'parts', '--scope', '77', '--shards', '4'])
    await expectKnown(run)
    await expectKnown(merge)
  })
})

/** Debian's python3-botocore holds the model of the API that the command line of AWS checks its input with. */
const CHECK = `
import json, sys
import botocore.session, botocore.validate
operation = botocore.session.get_session().get_service_model('batch').operation_model('RegisterJobDefinition')
print(botocore.validate.ParamValidator().validate(json.load(open(sys.argv[1])), operation.input_shape).generate_report())
`
const hasBotocore = spawnSync('python3', ['-c', 'import botocore']).status === 0

describe.skipIf(!hasBotocore)('the job definition for AWS Batch (needs python3-botocore)', () => {
  it('is one that RegisterJobDefinition takes', () => {
    const checked = spawnSync('python3', ['-c', CHECK, join(recipes, 'aws-batch/job-definition.json')])
    expect({ report: String(checked.stdout).trim(), stderr: String(checked.stderr) }).toEqual({
      report: '',
      stderr: '',
    })
  })

  it('calls the script with the parameters that the submission sets', () => {
    const { containerProperties, parameters } = JSON.parse(textOf('aws-batch/job-definition.json'))
    expect(containerProperties.command).toEqual(['./part.sh', 'Ref::study', 'Ref::parts'])
    expect(Object.keys(parameters)).toEqual(['study', 'parts'])
  })
})
