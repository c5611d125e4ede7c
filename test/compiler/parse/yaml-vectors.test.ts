import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import type { Finding } from '../../../src/compiler/finding.js'
import { readDocument } from '../../../src/compiler/parse/read-document.js'
import { jsonOf } from '../../../src/compiler/shape/normalise.js'
import { cpuTime } from '../../cpu-time.js'
import { folder, forSet, having, notRun, vectorJson } from '../../vectors-suite/vectors.js'

function read(text: string) {
  const findings: Finding[] = []
  const began = cpuTime()
  const root = readDocument({ file: 'vector.yaml', text, base: 0 }, (code, span, message) =>
    findings.push({ code, span, message }),
  )
  return { root, codes: findings.map(({ code }) => code), findings, ms: cpuTime() - began }
}

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

interface Expectation {
  readonly expect: 'accept' | 'reject' | 'reject-or-ignore' | 'policy'
}

const HAZARDS = `${folder}/svc-yaml-hazards`
/** Accepted without a word, warned of, or refused: what this reader decides where the vectors leave it open. */
const WARNINGS = new Set(['SVC0116', 'SVC0124', 'SVC0125', 'SVC0126', 'SVC5102'])

forSet('svc-yaml-hazards', ['expected.json'], () => {
  const expected = vectorJson<{ readonly [name: string]: Expectation }>('svc-yaml-hazards', 'expected.json')
  const named = having(Object.entries(expected), ([name]) => ['svc-yaml-hazards', `${name}.yaml`])
  const missing = Object.keys(expected).length - named.length
  if (missing > 0) notRun(`svc-yaml-hazards: ${missing} of expected.json`, 'they have no file')
  it.each(named)('%s', (name, { expect: wanted }) => {
    const text = decode(readFileSync(`${HAZARDS}/${name}.yaml`))
    const { root, codes, findings, ms } = read(text)
    expect(ms).toBeLessThan(1000)
    for (const { span } of findings) expect(span.start <= span.end && span.end <= text.length + 1).toBe(true)
    const refused = codes.some((code) => !WARNINGS.has(code))
    if (wanted === 'accept') expect([codes, root === undefined]).toEqual([[], false])
    if (wanted === 'reject')
      expect(
        refused || check([{ file: 'vector.yaml', text }]).diagnostics.some(({ severity }) => severity === 'error'),
      ).toBe(true)
  })

  const codes: readonly (readonly [string, string])[] = [
    ['quadratic-blowup', 'SVC0109'],
    ['alias-cycle-map', 'SVC0110'],
    ['alias-undefined', 'SVC0108'],
    ['proto-key', 'SVC0119'],
    ['ctor-key', 'SVC0119'],
    ['tag-js-function', 'SVC0112'],
    ['tag-python', 'SVC0112'],
    ['tag-binary', 'SVC0112'],
    ['dup-key-quoted', 'SVC0103'],
    ['json-in-yaml', 'SVC0103'],
    ['bigint', 'SVC0115'],
    ['inf', 'SVC0117'],
    ['exp', 'SVC0117'],
    ['doc-end', 'SVC0107'],
    ['tab-indent', 'SVC0102'],
    ['bom', 'SVC0126'],
    ['complex-key', 'SVC0118'],
    ['deep-flow', 'SVC0120'],
    ['quote-unclosed', 'SVC0101'],
    ['flow-unclosed', 'SVC0101'],
    ['merge-scalar', 'SVC0111'],
    ['invalid-utf8', 'SVC0104'],
  ]
  it.each(having(codes, ([name]) => ['svc-yaml-hazards', `${name}.yaml`]))('%s has the code %s', (name, code) => {
    expect(read(decode(readFileSync(`${HAZARDS}/${name}.yaml`))).codes).toContain(code)
  })
})

interface SuiteCase {
  readonly id: string
  readonly name: string
  readonly yaml: string
  readonly json: string | null
  readonly fail: boolean
}

/** Sound YAML that a manifest may not use, each by a rule of its own. */
const POLICY = new Set([
  'SVC0105',
  'SVC0107',
  'SVC0111',
  'SVC0112',
  'SVC0118',
  'SVC0119',
  'SVC0115',
  'SVC0117',
  'SVC0104',
  'SVC0108',
])

forSet('yaml-test-suite', ['cases.json'], () => {
  const suite = vectorJson<readonly SuiteCase[]>('yaml-test-suite', 'cases.json')
  it.each(suite.map((each) => [`${each.id} ${each.name}`, each] as const))('%s', (_, { yaml, json, fail }) => {
    const { root, codes } = read(yaml)
    if (fail) return expect(codes).not.toEqual([])
    if (codes.some((code) => POLICY.has(code))) return
    expect(codes.filter((code) => !WARNINGS.has(code))).toEqual([])
    if (json !== null && json.trim() !== '')
      expect(root === undefined ? undefined : jsonOf(root)).toEqual(JSON.parse(json))
  })
})
