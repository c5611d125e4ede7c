import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { readManifest } from '../../src/cli/validate/read-manifest.js'
import { check } from '../../src/compiler/check.js'
import { RULES } from '../../src/compiler/rules/index.js'
import { isLeftToType, WITHOUT_EDIT } from '../faults/measure.js'
import { CASES } from './cases.js'

const NOW = Date.parse('2026-11-21T00:00:00Z')

/** All that is found in the cases of all rules. */
async function findings() {
  const found = []
  for (const folder of CASES)
    for (const name of ['svc.yaml', 'conditions.yaml'].filter((each) => existsSync(join(folder, each)))) {
      const { sources, includeProblems } = await readManifest(join(folder, name))
      const enable = RULES.filter(({ slug }) => slug === basename(folder)).map(({ code }) => code)
      const { diagnostics } = check(sources, { now: NOW, includeProblems, enable })
      found.push(...diagnostics.map((diagnostic) => ({ folder, diagnostic })))
    }
  return found
}

it('has an edit for each suggestion, and a reason where it has none', async () => {
  const found = await findings()
  const left = found.filter(({ diagnostic }) => isLeftToType(diagnostic))
  expect(left.map(({ folder, diagnostic }) => `${folder}: ${diagnostic.message}`)).toEqual([])
  const suggest = found.filter(({ diagnostic }) => diagnostic.suggestion !== undefined)
  expect(suggest.length).toBeGreaterThan(70)
  for (const code of WITHOUT_EDIT.keys())
    expect(suggest.some(({ diagnostic }) => diagnostic.code === code && diagnostic.fix === undefined)).toBe(true)
})

it('cites no section of a document in what it says', async () => {
  const texts = (await findings()).flatMap(({ diagnostic: { message, related = [] } }) => [
    message,
    ...related.map((each) => each.message),
  ])
  const documents = RULES.flatMap(({ description, why = '' }: { readonly description: string; readonly why?: string }) => [description, why])
  expect([...texts, ...documents].filter((text) => /§|(?<!\w)\[\d+(?:\.\d+)*\]|\bsections? \d/iu.test(text))).toEqual([])
})
