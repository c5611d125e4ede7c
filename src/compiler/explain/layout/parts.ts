import type { Span } from '../../finding.js'
import { positionAt, type PlacedSource, type SourceMap } from '../../parse/sources.js'
import { valueAt, type YamlNode } from '../../parse/tree.js'
import type { ReadFiles } from '../../shape/read-files.js'
import { lineCount, lineAt, type LineIndex } from './lines.js'
import type { Repaired } from './repair.js'
import { HEAD } from './window.js'

/** Lines of a file as they were meant, as a text that stands for itself. */
export interface Part {
  readonly file: PlacedSource
  /** Part of the original file that it stands for. */
  readonly stretch: Span
  /** True if the part begins with the manifest itself, not only with some of its capabilities. */
  readonly isRoot: boolean
  readonly text: string
  /** Converts a place in the text to one in the original file; undefined for text before its lines. */
  readonly placeBack: (offset: number) => number | undefined
}

/** The lines that repairs explained, in as few parts as there are stretches of them. */
export const partsOf = ({ placed, roots }: ReadFiles, repaired: readonly (Repaired | undefined)[]): readonly Part[] =>
  placed.files.flatMap((file, index) => {
    const found = repaired[index]
    if (found === undefined) return []
    const stretches = holdsCapabilities(roots[index]) ? stretchesOf(found) : [allOf(found, index)]
    return stretches.map((each) => partOf(file, placed, found.lines, each, index))
  })

/** Checks whether the original text has capabilities that can be judged. */
const holdsCapabilities = (root: YamlNode | undefined): boolean =>
  root?.kind === 'map' && valueAt(root, 'capabilities')?.kind === 'map'

const allOf = ({ lines }: Repaired, index: number): Stretch => ({
  from: 0,
  to: lineCount(lines),
  head: index === 0 ? '' : HEAD,
})

interface Stretch {
  readonly from: number
  readonly to: number
  readonly head: string
}

/** Windows that overlap are one. */
function stretchesOf({ faults }: Repaired): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const { window } of faults.toSorted((one, other) => one.window.from - other.window.from)) {
    const last = stretches.at(-1)
    if (last === undefined || window.from > last.to) stretches.push(window)
    else stretches.splice(-1, 1, { ...last, to: Math.max(last.to, window.to) })
  }
  return stretches
}

function partOf(
  file: PlacedSource,
  placed: SourceMap,
  meant: LineIndex,
  { from, to, head }: Stretch,
  index: number,
): Part {
  const written: LineIndex = { text: file.text, starts: placed.lineStarts(file) }
  const start = ({ starts, text }: LineIndex, line: number): number => starts[line] ?? text.length
  const back = backFrom(meant, written)
  return {
    file,
    stretch: { start: file.base + start(written, from), end: file.base + start(written, to) },
    isRoot: index === 0 && from === 0,
    text: head + meant.text.slice(start(meant, from), start(meant, to)),
    placeBack(offset) {
      const at = offset - head.length
      return at < 0 ? undefined : file.base + back(start(meant, from) + at)
    },
  }
}

/** Only beginnings of lines differ. */
function backFrom(meant: LineIndex, written: LineIndex): (offset: number) => number {
  return (offset) => {
    const { line, column } = positionAt(meant.starts, Math.min(offset, meant.text.length))
    const text = lineAt(written, line - 1)
    const other = lineAt(meant, line - 1)
    const indent = text.length - text.trimStart().length
    const at = text === other ? column - 1 : Math.max(indent, column - 1 - (other.length - text.length))
    return written.starts[line - 1]! + at
  }
}
