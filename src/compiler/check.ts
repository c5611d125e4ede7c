import type { Manifest } from '../protocol/manifest.js'
import { later } from '../protocol/later.js'
import type { Diagnostic, Source } from './diagnostics.js'
import { joinRepeats } from './explain/repeats.js'
import { chosenRules, judgeRead, type CheckOptions, type Judged } from './judge.js'
import { createMemory, type Memory } from './memory/memory.js'
import { readFiles, type ReadFiles } from './read-files.js'
import { isToBeJudged, repairFiles } from './explain/layout/repair-files.js'
import { setOf } from './rules/rule-set.js'
import type { Rule, RuleSet } from './rules/rule.js'
import { normalise, type Normalised } from './shape/normalise.js'

export type { CheckOptions, Judged, Preset } from './judge.js'

export interface Checked {
  /** By file, place and code. */
  readonly diagnostics: readonly Diagnostic[]
  /** With defaults filled in, when it is first asked for; undefined when there is an error. */
  readonly manifest?: Manifest | undefined
}

/**
 * Checks a manifest: the first source, and the fragments that it includes. Reports every fault with its place; never
 * throws for bad input; the same sources give the same answer.
 */
export const check = (sources: readonly Source[], options: CheckOptions = {}): Checked =>
  soundly(judge(chosenRules(options), sources, options))

/** The same with other rules; the structure is always checked. */
export const checkWith = (rules: readonly Rule[], sources: readonly Source[], options: CheckOptions): Checked =>
  soundly(judge(setOf(rules), sources, options))

/** Checks again and again, as an editor does: what an edit leaves as it was is not judged anew. The answers are those of `check`. */
export function createChecker(): (sources: readonly Source[], options?: CheckOptions) => Checked {
  const judgeAgain = createJudge()
  const normalised: Normalised = new WeakMap()
  return (sources, options) => soundly(judgeAgain(sources, options), normalised)
}

/** The same with the trees of the files; they are true until the next check. */
export function createJudge(): (sources: readonly Source[], options?: CheckOptions) => Judged {
  const memory = createMemory()
  return (sources, options = {}) => judge(chosenRules(options), sources, options, memory)
}

function judge(rules: RuleSet, sources: readonly Source[], options: CheckOptions, memory?: Memory): Judged {
  const asWritten = readFiles(sources, options, memory)
  const { roots, view, findings } = asWritten
  const judged = later(() => judgeRead(rules, asWritten, options))
  // What rules alone find has nothing to do with the layout.
  if (findings.length === 0) return judged()
  if (isToBeJudged(asWritten)) judged()
  const diagnostics = judgedAsMeant(rules, asWritten, options, memory)
  const isBetter =
    diagnostics !== undefined &&
    (errorsIn(diagnostics) <= MOST_HIDDEN || errorsIn(diagnostics) <= errorsIn(judged().diagnostics) + MOST_HIDDEN)
  return { roots, view, diagnostics: joinRepeats(isBetter ? diagnostics : judged().diagnostics, sources) }
}

/** What is to be said of the files with lines laid out as they were meant; undefined where none is laid out otherwise. */
function judgedAsMeant(
  rules: RuleSet,
  asWritten: ReadFiles,
  options: CheckOptions,
  memory: Memory | undefined,
): readonly Diagnostic[] | undefined {
  const judge = (read: ReadFiles) => judgeRead(rules, read, options).diagnostics
  const repaired = repairFiles(asWritten, judge)
  if (repaired === undefined) return undefined
  const read = () => {
    const asMeant = readFiles(repaired.sources, options, memory)
    asMeant.findings.push(...repaired.faults(asMeant.placed))
    return judge(asMeant).map(repaired.back)
  }
  return memory === undefined ? read() : memory.aside(read)
}

/** Errors that a text may have hidden where it was no YAML: with more, another layout explains nothing. */
const MOST_HIDDEN = 2
const errorsIn = (diagnostics: readonly Diagnostic[]): number =>
  diagnostics.filter(({ severity }) => severity === 'error').length

/** Validation needs no normalised manifest; a build does. */
function soundly({ diagnostics, view }: Judged, normalised?: Normalised): Checked {
  if (view === undefined || diagnostics.some(({ severity }) => severity === 'error')) return { diagnostics }
  let manifest: Manifest | undefined
  return {
    diagnostics,
    get manifest() {
      manifest ??= normalise(view, normalised)
      return manifest
    },
  }
}
