import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { schema } from '../../src/cli/commands/schema.ts'
import { makeProject, type Project } from './project-folder.ts'

let project: Project
beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})
afterAll(() => project.remove())

it.each(['version: 1\nname: a\n', 'id,region\n', '{ "manifest_version": 1 }', '["$schema"]'])(
  'a schema does not replace %j',
  async (text) => {
    await project.write('there', text)
    await expect(schema({ out: project.path('there') })).rejects.toMatchObject({
      exitCode: 2,
      message: `${project.path('there')}: the file exists and is not a JSON Schema; it was not replaced`,
    })
    expect(await project.read('there')).toBe(text)
  },
)

it('--json contains the schema that is printed without it', async () => {
  const plain = await project.whatif(['schema'])
  const { data, ...document } = JSON.parse((await project.whatif(['schema', '--json'])).stdout)
  expect(document).toEqual({ format_version: 1, command: 'schema', ok: true, exit_code: 0, diagnostics: [] })
  expect(data).toEqual({ schema: JSON.parse(plain.stdout), file: null, line: null })
  const written = await project.whatif(['schema', '--json', '--out', 'my.schema.json'])
  expect(JSON.parse(written.stdout).data).toMatchObject({
    file: 'my.schema.json',
    line: '# yaml-language-server: $schema=./my.schema.json',
  })
})

it.each(['{ "$schema": "http://json-schema.org/draft-07/schema#" }', ''])('a schema replaces %j', async (text) => {
  await project.write('study.schema.json', text)
  expect(await schema({ out: project.path('study.schema.json') })).toBe(0)
  expect(JSON.parse(await project.read('study.schema.json'))).toMatchObject({ title: 'whatif study, version 1' })
})
