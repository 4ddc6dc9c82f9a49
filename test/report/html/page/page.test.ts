import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { largeManifest } from '../../../../bench/large-manifest.js'
import { manifestText } from '../../../../src/answers/manifest/manifest-writer.ts'
import { parseManifest } from '../../../../src/answers/manifest/parse-manifest.ts'
import { sha256Hex } from '../../../../src/base/sha256.ts'
import type { Manifest } from '../../../../src/records/manifest/manifest.ts'
import { reportHtml } from '../../../../src/report/html/page/page.ts'
import { HTML_MARK } from '../../../../src/report/html/page/page-mark.ts'
import { report } from '../../../../src/report/report.ts'
import { manifestFaults } from '../../../answers/manifest-validator.ts'
import { fullManifest, hostileManifest } from '../hostile-manifest.ts'

const DIGEST = 'd'.repeat(64)
const pageOf = (manifest: Manifest) => reportHtml({ manifest, digest: DIGEST })

/** The text between the tags, style and script left out. Throws where a `<` or an attribute is not what the page writes. */
function textOf(page: string): string {
  const bare = page
    .replace(/<!doctype html>\n<!--[^<>]*-->/, '')
    .replace(/<style>[^<]*<\/style>/, '')
    .replace(/<script>[\s\S]*?<\/script>/, '')
  const text = bare.replaceAll(/<\/?[a-z][a-z0-9]*(?: [a-zA-Z-]+(?:="[^"<>]*")?)*\/?>/g, '\n')
  const left = /[<>"]/.exec(text)
  if (left !== null)
    throw new Error(`a character of the text is not escaped: ${text.slice(left.index - 40, left.index + 40)}`)
  return text
}

const tagsOf = (page: string) => new Set([...page.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, tag]) => tag))

describe('a page', () => {
  it('is one document that begins with its mark, for a manifest that fits the schema', () => {
    expect(manifestFaults(JSON.parse(manifestText(fullManifest())))).toEqual([])
    const page = pageOf(fullManifest())
    expect(page.startsWith(HTML_MARK)).toBe(true)
    expect(page.endsWith('</html>\n')).toBe(true)
    expect(page.match(/<h1\b/g)).toHaveLength(1)
    expect(page.match(/<main\b/g)).toHaveLength(1)
  })

  it('has the same bytes for a manifest in memory and for its file', () => {
    const manifest = fullManifest()
    const written = manifestText(manifest)
    expect(report(manifest, 'html')).toBe(reportHtml(parseManifest(written)))
    expect(reportHtml(parseManifest(written))).toBe(reportHtml(parseManifest(written)))
  })

  it('allows its own style and script by their hashes, and nothing else', () => {
    const page = pageOf(fullManifest())
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]
    const hashOf = (element: string) => {
      const [, text = ''] = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(page) ?? []
      return `'sha256-${Buffer.from(sha256Hex(text), 'hex').toString('base64')}'`
    }
    expect(policy).toBe(
      `default-src 'none'; style-src ${hashOf('style')}; script-src ${hashOf('script')}; img-src data:; base-uri 'none'; form-action 'none'`,
    )
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(page.match(/<style/g)).toHaveLength(1)
    // The script names the namespace of SVG.
    const markup = page.replace(/<script>[\s\S]*<\/script>/, '')
    expect(markup).not.toMatch(/ style=| on[a-z]+=|https?:/)
  })

  it('names each place in its contents, and uses each id once', () => {
    const page = pageOf(fullManifest())
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const places = [...page.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id)
    expect(places).toEqual(expect.arrayContaining(['main', 'answer', 'comparisons', 'gates', 'findings', 'provenance']))
    for (const place of places) expect(ids).toContain(place)
    for (const [, named] of page.matchAll(/aria-labelledby="([^"]*)"/g)) expect(ids).toContain(named)
  })
})

describe('texts of a study and a service', () => {
  const known = tagsOf(pageOf(fullManifest()))

  it.each([
    '<script>globalThis.taken = 1</script>',
    '"><img src=x onerror=globalThis.taken=1>',
    "' onmouseover='globalThis.taken=1",
    '</title></style></script><svg onload=globalThis.taken=1>',
    '--><iframe srcdoc=x>',
    '&lt;b&gt;',
    '\u0000\u0008\u202e\ud800',
    ']]><![CDATA[',
    'javascript:alert(1)',
    '{{1+1}}',
  ])('contain %j as text wherever it occurs', (hostile) => {
    const page = pageOf(hostileManifest(hostile))
    expect(() => textOf(page)).not.toThrow()
    expect([...tagsOf(page)].filter((tag) => !known.has(tag))).toEqual([])
    expect(page.isWellFormed()).toBe(true)
  })

  it('are shown as text, whatever their characters', () => {
    const characters = fc.string({
      unit: fc.constantFrom(...'<>"\'&/=!-`;:\\ \n\u0000\u200f\ud83d😀漢שx'),
      minLength: 1,
    })
    fc.assert(
      fc.property(fc.oneof(fc.string(), characters), (text) => {
        const page = pageOf(hostileManifest(text))
        textOf(page)
        expect([...tagsOf(page)].filter((tag) => !known.has(tag))).toEqual([])
      }),
      { numRuns: 50 },
    )
  })

  it('show characters that reorder or hide text, wherever they occur', () => {
    const page = pageOf(hostileManifest('\u202egnp\u2066\u200b'))
    expect(page).toContain('brand-switching\\u{202e}gnp\\u{2066}\\u{200b}')
    expect(page).not.toMatch(/[\u200b\u202a-\u202e\u2066-\u2069]/)
  })

  it('are shown in their places', () => {
    const text = textOf(pageOf(hostileManifest('<b>')))
    expect(text).toContain('brand-switching&lt;b&gt;')
    expect(text).toContain('What if more people want it?&lt;b&gt;')
    expect(text).toContain('no luck&lt;b&gt;')
  })
})

describe('the size of a page', () => {
  const bytesOf = (size: { scenarios: number; outcomes: number }) => {
    const manifest = largeManifest(size)
    expect(manifestFaults(manifest)).toEqual([])
    return Buffer.byteLength(pageOf(manifest))
  }

  it('is under 1 MB for 50 scenarios and 20 outcomes', () => {
    expect(bytesOf({ scenarios: 50, outcomes: 20 })).toBeLessThan(1e6)
  })

  it('is under 4 MB for 200 scenarios and 30 outcomes, with all figures', () => {
    const page = pageOf(largeManifest({ scenarios: 200, outcomes: 30 }))
    expect(Buffer.byteLength(page)).toBeLessThan(4e6)
    // Two of three outcomes have three levels.
    expect(page.match(/<tr[^>]*><th scope="row"><bdi>grid--v199</g)?.length).toBeGreaterThanOrEqual(20 * 3 + 10)
    expect(page).not.toContain('are left out here')
  })

  it('stays bounded beyond that, and the page says what is left out', () => {
    const page = pageOf(largeManifest({ scenarios: 290, outcomes: 30 }))
    expect(Buffer.byteLength(page)).toBeLessThan(4e6)
    // 290 scenarios with 70 differences each.
    expect(page).toContain(`${(290 * 70 - 20_000).toLocaleString('en')} rows are left out here`)
  })
})
