import { describe, expect, it } from 'vitest'
import { cleanerFor, cleanProblem, keepingCleaner, MAX_SERVICE_TEXT } from '../../src/client/service-text.ts'

const SECRET = 's3cr+t/va"lue='
const clean = cleanerFor([SECRET])

describe('text of the service', () => {
  it.each([
    ['as it is', SECRET],
    ['in an address', encodeURIComponent(SECRET)],
    ['in JSON', JSON.stringify(SECRET)],
    ['in base64', Buffer.from(SECRET).toString('base64')],
    ['in base64url', Buffer.from(SECRET).toString('base64url')],
  ])('loses a secret that is written %s', (_name, spelling) => {
    expect(clean(`before ${spelling} after`)).toMatch(/^before "?\[secret\]"? after$/)
  })

  it('loses bearer tokens and JWTs that are not ours', () => {
    expect(clean('Authorization: Bearer abc.def and eyJhbGciOiJF.eyJzdWIiOiJh.c2ln end')).toBe(
      'Authorization: Bearer [secret] and [secret] end',
    )
  })

  it('loses a secret before the text is cut, so that no part of it stays', () => {
    for (let at = 0; at < 30; at++) {
      const text = clean(`${'x'.repeat(MAX_SERVICE_TEXT - at)}${SECRET}${'y'.repeat(50)}`)
      expect(text).not.toContain('s3c')
      expect(text.length).toBeLessThanOrEqual(MAX_SERVICE_TEXT)
    }
  })

  it('loses control characters and marks that reverse text', () => {
    expect(clean('\u001b[2Ja\r\nb\u0000\u009bc\u202ed\u2066e')).toBe('[2Ja b c d e')
  })

  it('is cut between whole characters', () => {
    const text = clean('😀'.repeat(400))
    expect(text.length).toBeLessThanOrEqual(MAX_SERVICE_TEXT)
    expect(text).toMatch(/^(?:😀)+…$/u)
  })

  it('is otherwise unchanged', () => {
    expect(clean('Größe über 500 MB, „zu groß“')).toBe('Größe über 500 MB, „zu groß“')
    expect(cleanerFor(['', 'a'])('banana')).toBe('banana')
  })

  it('is cleaned of the secrets of the current call, not of the previous one', () => {
    const cleaner = keepingCleaner()
    const first = cleaner(['first secret', 'token'])
    expect(cleaner(['first secret', 'token'])).toBe(first)
    expect(cleaner(['first secret'])('first secret, token')).toBe('[secret], token')
    expect(cleaner(['first secret', 'other'])('first secret, token, other')).toBe('[secret], token, [secret]')
    expect(first('first secret, token, other')).toBe('[secret], [secret], other')
  })

  it('is clean and bounded in every field of a problem record', () => {
    const long = `${SECRET} ${'x'.repeat(5000)}`
    const problem = cleanProblem(
      {
        type: long,
        title: long,
        status: 400,
        detail: long,
        code: long,
        request_id: long,
        errors: Array.from({ length: 500 }, () => ({ field: long, message: long, suggestion: long })),
        errors_omitted: 3,
        schema_hint: { columns: Array.from({ length: 500 }, () => long), column: long, levels: [long] },
      },
      clean,
    )
    const text = JSON.stringify(problem)
    expect(text).not.toContain('s3cr')
    expect(text.length).toBeLessThan(50 * 3 * 250 + 50 * 250 + 5 * 600)
    expect(problem).toMatchObject({ status: 400, errors_omitted: 3 })
    expect(cleanProblem({}, clean)).toEqual({})
  })
})
