import type { Diagnostic, Position, Source } from '../../diagnostics.js'
import { reportTo, type Finding } from '../../finding.js'
import { createMemory } from '../../memory/memory.js'
import { readStrictly } from '../../parse/read-document.js'
import { isOfLayout } from './likelihood.js'
import { diagnosticBack, placesBack } from './places.js'
import { repair, type Fault, type Reader } from './repair.js'
import { HEAD } from './window.js'
import type { PlacedSource, Sources } from '../../parse/sources.js'
import { readFiles, readRoot, type ReadFiles } from '../../read-files.js'
import { MANIFEST } from '../../shape/fields/manifest.js'

/** Files whose lines were laid out as they most likely were meant: read so, each fault of the layout is one finding. */
export interface RepairedFiles {
  readonly sources: readonly Source[]
  /** What is to be said of the lines that were laid out otherwise. */
  readonly faults: (placed: Sources) => readonly Finding[]
  /** The diagnostic where the text as it is written has its places. */
  readonly back: (diagnostic: Diagnostic) => Diagnostic
}

/** Whether what the rules find is needed to tell if the layout may be wrong. */
export const isToBeJudged = (read: ReadFiles): boolean =>
  read.placed.files.some((file) => isOfLayout(findingsIn(file, read)) === undefined)

/** Undefined where no other layout explains what was found. */
export function repairFiles(
  read: ReadFiles,
  judge: (read: ReadFiles) => readonly Diagnostic[],
): RepairedFiles | undefined {
  const { placed } = read
  const reader = readerOf(judge)
  const repaired = placed.files.map((file, index) => {
    const findings = findingsIn(file, read)
    return findings.length === 0
      ? undefined
      : repair(file, placed.lineStarts(file), findings, index === 0 ? '' : HEAD, reader)
  })
  if (repaired.every((each) => each === undefined)) return undefined
  const backs = new Map<string, (position: Position) => Position>()
  for (const [index, file] of placed.files.entries()) {
    const meant = repaired[index]?.lines
    const written = { text: file.text, starts: placed.lineStarts(file) }
    if (meant !== undefined) backs.set(file.file, placesBack(written, meant))
  }
  return {
    sources: placed.files.map(({ file, text }, index) => ({ file, text: repaired[index]?.lines.text ?? text })),
    faults: (meant) =>
      meant.files.flatMap((file, index) => findingsOf(file, meant.lineStarts(file), repaired[index]?.faults ?? [])),
    back: (diagnostic) => diagnosticBack(diagnostic, backs),
  }
}

const findingsIn = ({ base, text }: PlacedSource, { findings }: ReadFiles): readonly Finding[] =>
  findings.filter(({ spot }) => spot.start >= base && spot.start <= base + text.length)

/** Texts that differ little are read one after the other: what is the same in them is read once. */
function readerOf(judge: (read: ReadFiles) => readonly Diagnostic[]): Reader {
  const memory = createMemory()
  const filesOf = (text: string): ReadFiles => readFiles([{ file: '', text }], {}, memory)
  return {
    read: (text) => filesOf(text).findings,
    judge: (text) => judge(filesOf(text)).filter(({ severity }) => severity === 'error').length,
    readStrictly(text) {
      const findings: Finding[] = []
      const report = reportTo(findings)
      const file = { file: '', text, base: 0 }
      const recall = memory.begin()
      const root = readStrictly(file, report, recall.entriesOf(file))
      recall.haveRead([root])
      if (root === undefined) return undefined
      const again = recall.readAgain(findings)
      readRoot(root, MANIFEST, { report, text: ({ start, end }) => text.slice(start, end), again })
      return findings
    },
  }
}

/** A fault is where the words of its line begin. */
const findingsOf = (
  { text, base }: PlacedSource,
  starts: readonly number[],
  faults: readonly Fault[],
): readonly Finding[] =>
  faults.map(({ line, code, message }) => {
    const start = starts[line]!
    const [all = '', indent = ''] = /^([^\S\n]*(?:- +)*)[^\s:]*/u.exec(text.slice(start, starts[line + 1])) ?? []
    return { code, message, spot: { start: base + start + indent.length, end: base + start + all.length } }
  })
