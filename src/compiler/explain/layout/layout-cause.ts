import type { Finding } from '../../finding.js'
import type { PlacedSource } from '../../parse/sources.js'
import { ruleOf } from '../../rules/index.js'
import type { ReadFiles } from '../../shape/read-files.js'
import type { Explained, Step } from '../step.js'
import { foundAsMeant } from './as-meant.js'
import { partsOf } from './parts.js'
import { repair, type Repaired } from './repair.js'
import { errorsIn, textReader } from './text-reader.js'
import { HEAD } from './window.js'

/**
 * Replaces findings that a wrong indentation explains by one finding. Reads only the nearby lines again; places refer
 * to the original text.
 */
export const withLayoutCause: Step = (findings, about) => {
  // What rules alone find has nothing to do with the layout.
  if (about.read.findings.length === 0) return findings
  const repaired = repairedFiles(findings, about)
  if (repaired.every((each) => each === undefined)) return findings
  const parts = partsOf(about.read, repaired)
  const asMeant = [
    ...repaired.flatMap((each, index) => faultsOf(about.read, index, each)),
    ...foundAsMeant(findings, parts, about).filter(({ code }) => ruleOf(code).role?.isLeftToLayout !== true),
  ]
  return errorsIn(asMeant) <= errorsIn(findings) + MOST_HIDDEN ? asMeant : findings
}

/** Errors that a text may have hidden where it was no YAML: with more, another layout explains nothing. */
const MOST_HIDDEN = 2

function repairedFiles(
  findings: readonly Finding[],
  { read, rules, surroundings }: Explained,
): readonly (Repaired | undefined)[] {
  const reader = textReader(rules, surroundings)
  return read.placed.files.map((file, index) => {
    const found = findings.filter(({ span }) => isIn(file, span.start))
    // Only where reading found something: rules do not judge the layout.
    if (!read.findings.some(({ span }) => isIn(file, span.start))) return undefined
    return repair(file, read.placed.lineStarts(file), found, index === 0 ? '' : HEAD, reader)
  })
}

const isIn = ({ base, text }: PlacedSource, offset: number): boolean => offset >= base && offset <= base + text.length

/** A fault is where the words of its line begin. */
function faultsOf({ placed }: ReadFiles, index: number, repaired: Repaired | undefined): readonly Finding[] {
  const { text, base } = placed.files[index]!
  const starts = placed.lineStarts(placed.files[index]!)
  return (repaired?.faults ?? []).map(({ line, code, message }) => {
    const start = starts[line]!
    const [all = '', indent = ''] = /^([^\S\n]*(?:- +)*)[^\s:]*/u.exec(text.slice(start, starts[line + 1])) ?? []
    return { code, message, span: { start: base + start + indent.length, end: base + start + all.length } }
  })
}
