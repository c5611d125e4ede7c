import { describe, expect, it } from 'vitest'
import { canonicalBytes, canonicalText } from '../../src/crypto/json/canonical.js'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import { parseStrictJson } from '../../src/crypto/json/strict-json.js'
import { forSet, vectorBytes, vectorFiles, vectorJson, vectorText } from './vectors.js'

const SET = 'jcs-rfc8785'

function parsed(input: Uint8Array | string): unknown {
  const json = parseStrictJson(input)
  if (!json.ok) throw new Error(json.reason)
  return json.value
}

forSet(SET, ['input', 'output', 'outhex'], () => {
  describe('RFC 8785: documents', () => {
    it.each(vectorFiles(SET, 'input'))('%s', (file) => {
      const canonical = canonicalBytes(parsed(vectorBytes(SET, 'input', file)))
      expect(Buffer.from(canonical).toString()).toBe(vectorText(SET, 'output', file))
      const hex = vectorText(SET, 'outhex', file.replace(/json$/u, 'txt')).replaceAll(/\s/gu, '')
      expect(Buffer.from(canonical).toString('hex')).toBe(hex)
    })
  })
})

forSet(SET, ['es6numbers-1-to-10000.txt'], () => {
  describe('RFC 8785: numbers', () => {
    it('writes every number as ECMAScript does', () => {
      const wrong = vectorText(SET, 'es6numbers-1-to-10000.txt')
        .split('\n')
        .filter((line) => line !== '')
        .filter((line) => {
          const [bits = '', text] = line.split(',')
          return canonicalText(Buffer.from(bits.padStart(16, '0'), 'hex').readDoubleBE()) !== text
        })
      expect(wrong).toEqual([])
    })
  })
})

forSet(SET, ['differential-sample.json'], () => {
  describe('RFC 8785: differential', () => {
    const cases = vectorJson<readonly { input: string; canonical: string; sha256: string }[]>(
      SET,
      'differential-sample.json',
    )
    it.each(cases.map((each, index) => [index, each] as const))('case %i', (_, { input, canonical, sha256 }) => {
      const text = canonicalText(parsed(input))
      expect(text).toBe(canonical)
      expect(sha256Hex(text)).toBe(sha256)
      // What we write, we read again.
      expect(canonicalText(parsed(text))).toBe(canonical)
    })
  })
})

forSet(SET, ['must-reject.json'], () => {
  describe('RFC 8785: what is not I-JSON', () => {
    const cases = vectorJson<readonly { id: string; json: string }[]>(SET, 'must-reject.json')
    it.each(cases.map(({ id, json }) => [id, json] as const))('%s', (_, json) => {
      expect(parseStrictJson(json)).toMatchObject({ ok: false })
      expect(parseStrictJson(Buffer.from(json))).toMatchObject({ ok: false })
    })
  })
})
