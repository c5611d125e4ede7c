import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { readManifest } from '../../../src/cli/validate/read-manifest.js'
import { check, type CheckOptions } from '../../../src/compiler/check.js'
import type { Diagnostic, Source } from '../../../src/compiler/diagnostics.js'
import { applyFixes } from '../../../src/compiler/fix/apply-fixes.js'
import { isFixable } from '../../../src/compiler/report/run.js'
import { RULES } from '../../../src/compiler/rules/index.js'
import { faults, manifests } from '../../faults/generate.js'
import { CASES } from '../../rules/cases.js'

const NOW = Date.parse('2026-11-21T00:00:00Z')

/** The sources after one fix. */
function fixed(sources: readonly Source[], { fix = [] }: Diagnostic): readonly Source[] {
  const edits = fix.toSorted((one, other) => other.range.start.offset - one.range.start.offset)
  return sources.map(({ file, text }) => ({
    file,
    text: edits
      .filter((edit) => edit.file === file)
      .reduce(
        (now, { range, newText }) => now.slice(0, range.start.offset) + newText + now.slice(range.end.offset),
        text,
      ),
  }))
}

/** Findings that a report marks `[*]`, and that are there again after --fix. */
function unkept(sources: readonly Source[], options: CheckOptions): readonly string[] {
  const after = new Set(
    check(applyFixes(sources, options), options).diagnostics.map(({ code, path }) => `${code} ${path}`),
  )
  return check(sources, options)
    .diagnostics.filter(isFixable)
    .map(({ code, path }) => `${code} ${path}`)
    .filter((each) => after.has(each))
}

const errorsIn = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code} ${message}`)

/** What a fix makes readable is judged for the first time: these were wrong before, and hidden. */
const HIDDEN: { readonly [code: string]: readonly string[] } = {
  // The text was no YAML.
  SVC0102: ['SVC0101'],
  SVC0107: ['SVC0107'],
  SVC0123: ['SVC2203'],
  SVC0211: ['SVC0202'],
  SVC0213: ['SVC2704', 'SVC3007', 'SVC3011'],
}

/** What each safe fix, applied alone, leaves wrong that was not wrong before. */
function newErrors(sources: readonly Source[], options: CheckOptions): readonly string[] {
  const { diagnostics } = check(sources, options)
  const before = new Set(errorsIn(diagnostics))
  const safe = diagnostics.filter(({ fix, isGuess }) => fix !== undefined && !isGuess)
  return safe.flatMap((each) =>
    errorsIn(check(fixed(sources, each), options).diagnostics)
      .filter((error) => !before.has(error) && HIDDEN[each.code]?.includes(error.slice(0, 7)) !== true)
      .map((error) => `${each.code} ${each.message} -> ${error}`),
  )
}

it.each(CASES)('%s: a safe fix leaves no new error, and --fix does what [*] says', async (folder) => {
  const { code } = RULES.find(({ slug }) => slug === basename(folder))!
  for (const name of ['svc.yaml', 'conditions.yaml'].filter((each) => existsSync(join(folder, each)))) {
    const { sources, includeProblems } = await readManifest(join(folder, name))
    const options = { now: NOW, includeProblems, enable: [code] }
    expect([newErrors(sources, options), unkept(sources, options)]).toEqual([[], []])
  }
})

it('a safe fix of any of 2,000 faults leaves no new error', () => {
  const wrong = [...faults(manifests(), 9, 19)].flatMap(({ text, kind }) =>
    newErrors([{ file: 'svc.yaml', text }], {}).map((each) => `${kind}: ${each}`),
  )
  expect(wrong).toEqual([])
}, 600_000)
