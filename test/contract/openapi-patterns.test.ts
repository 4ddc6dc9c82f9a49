import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { buildOpenApi } from '../../src/contract/openapi/openapi.ts'

const folder = mkdtempSync(join(tmpdir(), 'whatif-patterns-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PATTERNS = patternsIn(buildOpenApi({ baseUrl: 'https://data.test', authUrl: 'https://data.test' }))

/** Texts on which the languages could differ: brackets, control characters, white space, characters outside ASCII. */
const TEXTS = [
  '',
  'plain',
  'req_5kQ0vXc2mZr8TnB1yWdJ4H',
  'data@harbour.example',
  'données@hafen.example',
  'two@at@signs.example',
  'no-dot@harbour',
  'a[b@harbour.example',
  'a]b@harbour.example',
  'a\\b@harbour.example',
  'a"b@harbour.example',
  'tab\there@harbour.example',
  'nul\u0000@harbour.example',
  'c1\u0085@harbour.example',
  'Röstfrisch 咖啡 ☕',
  'bell\u0007',
  'del\u007f',
]

/** Whether each pattern matches each text, as JavaScript has it: what the other languages have to say too. */
const EXPECTED = PATTERNS.map((pattern) => TEXTS.map((text) => new RegExp(pattern, 'u').test(text)))

const PYTHON = `
import json, re, sys, warnings
warnings.simplefilter('error')
given = json.load(sys.stdin)
print(json.dumps([[re.search(pattern, text) is not None for text in given['texts']] for pattern in given['patterns']]))
`

/** Reads lines of Base64: how many patterns, the patterns, the texts. */
const JAVA = `
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.regex.Pattern;
import java.util.stream.*;

public class Patterns {
  public static void main(String[] args) {
    List<String> given = new ArrayList<>();
    Scanner scanner = new Scanner(System.in);
    while (scanner.hasNextLine()) {
      given.add(new String(Base64.getDecoder().decode(scanner.nextLine()), StandardCharsets.UTF_8));
    }
    int patterns = Integer.parseInt(given.get(0));
    List<String> texts = given.subList(1 + patterns, given.size());
    System.out.println(given.subList(1, 1 + patterns).stream()
      .map(Pattern::compile)
      .map(pattern -> texts.stream().map(text -> "" + pattern.matcher(text).find()).collect(Collectors.joining(",", "[", "]")))
      .collect(Collectors.joining(",", "[", "]")));
  }
}
`

const isThere = (command: string, ...args: string[]) => spawnSync(command, args).status === 0

describe('the patterns of the OpenAPI document', () => {
  it('exist, and match the same in JavaScript with and without the u flag', () => {
    expect(PATTERNS.length).toBeGreaterThan(3)
    for (const [index, pattern] of PATTERNS.entries()) {
      expect(TEXTS.map((text) => new RegExp(pattern).test(text))).toEqual(EXPECTED[index])
    }
    expect(EXPECTED.flat()).toContain(true)
    expect(EXPECTED.flat()).toContain(false)
  })

  it.skipIf(!isThere('python3', '--version'))('compile in Python, and match the same (needs python3)', () => {
    const input = JSON.stringify({ patterns: PATTERNS, texts: TEXTS })
    const { stdout, stderr } = spawnSync('python3', ['-c', PYTHON], { input, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(EXPECTED)
  })

  it.skipIf(!isThere('java', '-version'))('compile in Java, and match the same (needs a JDK)', () => {
    const file = join(folder, 'Patterns.java')
    writeFileSync(file, JAVA)
    const lines = [String(PATTERNS.length), ...PATTERNS, ...TEXTS].map((text) => Buffer.from(text).toString('base64'))
    const input = `${lines.join('\n')}\n`
    const { stdout, stderr, status } = spawnSync('java', [file], { input, encoding: 'utf8' })
    expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual(EXPECTED)
  })
})

function patternsIn(piece: unknown): string[] {
  const found = new Set<string>()
  JSON.stringify(piece, (key, value) => {
    if (key === 'pattern' && typeof value === 'string') found.add(value)
    return value
  })
  return [...found].sort()
}
