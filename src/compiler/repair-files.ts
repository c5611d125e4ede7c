import type { Diagnostic, Position, Source } from './diagnostics.js'
import { reportTo, type Finding } from './finding.js'
import { readStrictly } from './read/read-document.js'
import { diagnosticBack, placesBack } from './read/repair/places.js'
import { repair, type Fault, type Reader } from './read/repair/repair.js'
import { HEAD } from './read/repair/window.js'
import { lineStarts, type PlacedSource, type Sources } from './read/sources.js'
import { readFiles, readRoot, type ReadFiles } from './read-files.js'
import { MANIFEST } from './schema/shapes/manifest.js'

/** Files whose lines were laid out as they most likely were meant: read so, each fault of the layout is one finding. */
export interface RepairedFiles {
  readonly sources: readonly Source[]
  /** What is to be said of the lines that were laid out otherwise. */
  readonly faults: (placed: Sources) => readonly Finding[]
  /** The diagnostic where the text as it is written has its places. */
  readonly back: (diagnostic: Diagnostic) => Diagnostic
}

/** Undefined where no other layout explains what was found. */
export function repairFiles(
  { placed, findings }: ReadFiles,
  judge: (read: ReadFiles) => readonly Diagnostic[],
): RepairedFiles | undefined {
  const reader = readerOf(judge)
  const repaired = placed.files.map((file, index) => {
    const inFile = findings.filter(({ spot }) => spot.start >= file.base && spot.start <= file.base + file.text.length)
    return inFile.length === 0 ? undefined : repair(file, inFile, index === 0 ? '' : HEAD, reader)
  })
  if (repaired.every((each) => each === undefined)) return undefined
  const backs = new Map<string, (position: Position) => Position>()
  for (const [index, { file, text }] of placed.files.entries())
    if (repaired[index] !== undefined) backs.set(file, placesBack(text, repaired[index].text))
  return {
    sources: placed.files.map(({ file, text }, index) => ({ file, text: repaired[index]?.text ?? text })),
    faults: ({ files }) => files.flatMap((file, index) => findingsOf(file, repaired[index]?.faults ?? [])),
    back: (diagnostic) => diagnosticBack(diagnostic, backs),
  }
}

function readerOf(judge: (read: ReadFiles) => readonly Diagnostic[]): Reader {
  const filesOf = (text: string): ReadFiles => readFiles([{ file: '', text }], {}, undefined)
  return {
    read: (text) => filesOf(text).findings,
    judge: (text) => judge(filesOf(text)).filter(({ severity }) => severity === 'error').length,
    readStrictly(text) {
      const findings: Finding[] = []
      const report = reportTo(findings)
      const root = readStrictly({ file: '', text, base: 0 }, report)
      if (root === undefined) return undefined
      readRoot(root, MANIFEST, { report, text: ({ start, end }) => text.slice(start, end) })
      return findings
    },
  }
}

/** A fault is where the words of its line begin. */
function findingsOf({ text, base }: PlacedSource, faults: readonly Fault[]): readonly Finding[] {
  const starts = lineStarts(text)
  return faults.map(({ line, code, message }) => {
    const start = starts[line]!
    const [all = '', indent = ''] = /^([^\S\n]*(?:- +)*)[^\s:]*/u.exec(text.slice(start, starts[line + 1])) ?? []
    return { code, message, spot: { start: base + start + indent.length, end: base + start + all.length } }
  })
}
