import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check, createChecker } from '../../../src/compiler/check.js'

const read = (name: string): string => readFileSync(`examples/${name}/svc.yaml`, 'utf8')
const capabilitiesOf = (text: string): string => `capabilities:\n${text.split(/^capabilities:\n/mu)[1]!}`

/** Words of the manifests and pieces of YAML, so that edits meet names, references, types and structure. */
const travel = read('travel')
const words = [...new Set(travel.split(/[^\w.$-]+/u))].filter(Boolean)
const pieces = ['', '\n', '  ', ' ', '- ', ': ', ' # svc-disable-line SVC6003 -- why\n', '"', "'", '[', ']', '{', '}', ',', '|', '>-\n', '\t', '\n\t', '&a ', '*a', '!x ', '? ', '\r\n', '\n\n', '\n---\n', '\n...\n', '"a\\q"', '    x-a: 1\n', 'capabilities', '\nword\n', '\n  word\n', '\n  another:\n', '\n    description: Another one.\n', '__proto__', 'AKIAIOSFODNN7EXAMPLE'] // prettier-ignore

interface Edit {
  readonly file: number
  readonly at: number
  readonly cut: number
  readonly piece: string
}
const edit: fc.Arbitrary<Edit> = fc.record({
  file: fc.nat(1),
  at: fc.nat(1_000_000),
  cut: fc.oneof({ weight: 3, arbitrary: fc.nat(8) }, fc.nat(400)),
  piece: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...words) }, fc.constantFrom(...pieces)),
})
type Texts = readonly [string, string]
const FILES = ['svc.yaml', 'more.yaml'] as const
const sources = (texts: Texts) => texts.map((text, index) => ({ file: FILES[index]!, text }))

/** An edit where a word begins, mostly, as people edit. */
function edited(texts: Texts, { file, at, cut, piece }: Edit): Texts {
  const text = texts[file]!
  const near = text.slice(at % (text.length + 1)).search(/\b/u)
  const start = (at % (text.length + 1)) + Math.max(0, near)
  const changed = text.slice(0, start) + piece + text.slice(start + cut)
  return file === 0 ? [changed, texts[1]] : [texts[0], changed]
}

/** Each step edits, or takes an edit back, as people do. */
const session = fc.record({
  texts: fc.constantFrom<Texts>(
    [travel, capabilitiesOf(read('minimal'))],
    [read('minimal'), capabilitiesOf(travel)],
    [read('pipeline'), capabilitiesOf(read('refunds'))],
  ),
  steps: fc.array(fc.oneof({ weight: 3, arbitrary: edit }, fc.constant('undo' as const)), {
    minLength: 1,
    maxLength: 12,
  }),
  preset: fc.constantFrom('recommended' as const, 'strict' as const),
})

describe('createChecker', () => {
  it('answers after any edits as check does', () => {
    fc.assert(
      fc.property(session, ({ texts, steps, preset }) => {
        const again = createChecker()
        const past: Texts[] = [texts]
        const same = (): void => {
          const now = sources(past.at(-1)!)
          const [one, other] = [again(now, { now: 0, preset }), check(now, { now: 0, preset })]
          expect(one.diagnostics).toEqual(other.diagnostics)
          expect(one.manifest).toEqual(other.manifest)
        }
        same()
        for (const step of steps) {
          if (step !== 'undo') past.push(edited(past.at(-1)!, step))
          else if (past.length > 1) past.pop()
          same()
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? 80), seed: Number(process.env['SEED'] ?? 5) },
    )
  }, 600_000)
})
