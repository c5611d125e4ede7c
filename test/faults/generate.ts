import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { globSync } from 'tinyglobby'
import type { Kinds, Random, Styled } from './fault.js'
import { KEYS } from './kinds/keys.js'
import { MISSING } from './kinds/missing.js'
import { LAYOUT, PASTED } from './kinds/pasted.js'
import { BRACKETS, PUNCTUATION } from './kinds/punctuation.js'
import { FORMS, REFERENCES, WORDS } from './kinds/values.js'
import { STYLE_NAMES, styled } from './styles.js'

export const KINDS: Kinds = {
  ...KEYS, ...WORDS, ...FORMS, ...REFERENCES, ...MISSING, ...PUNCTUATION, ...BRACKETS, ...PASTED, ...LAYOUT,
} // prettier-ignore

/** A manifest with one fault. */
export interface Faulty {
  readonly kind: string
  readonly of: string
  readonly text: string
  /** The lines where somebody would look for it; the first is 1. */
  readonly lines: readonly number[]
}

/** Every example in every style, each of them valid. */
export function manifests(): readonly Styled[] {
  const files = globSync(['examples/*/svc.yaml', 'test/faults/manifests/*.yaml']).toSorted()
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8').replace(/^# yaml-language-server.*\n/u, '')
    return STYLE_NAMES.map((style) => styled(file.split('/').at(-2) ?? file, text, style))
  })
}

/** So many faults of each kind, in other manifests and places for another seed; what changes nothing is none. */
export function* faults(all: readonly Styled[], each: number, seed: number): Generator<Faulty> {
  for (const [kind, make] of Object.entries(KINDS)) {
    const next = numbers(`${seed} ${kind}`)
    const random: Random = (items) => items[Math.floor(next() * items.length)]
    const seen = new Set<string>()
    for (let tries = 0; seen.size < each && tries < each * 12; tries++) {
      const manifest = random(all)!
      const made = make(manifest, random)
      if (made === undefined || seen.has(made.text) || isSame(manifest.text, made.text)) continue
      seen.add(made.text)
      yield { kind, of: manifest.name, text: made.text, lines: made.at.map((offset) => lineOf(made.text, offset)) }
    }
  }
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** Whether both say the same: YAML leaves some slips without consequence. */
function isSame(before: string, after: string): boolean {
  try {
    return JSON.stringify(load(before)) === JSON.stringify(load(after))
  } catch {
    return false
  }
}

/** Numbers from 0 to below 1 that a seed determines (mulberry32). */
function numbers(seed: string): () => number {
  let state = [...seed].reduce((sum, letter) => Math.imul(sum ^ letter.codePointAt(0)!, 16_777_619), 2_166_136_261)
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
