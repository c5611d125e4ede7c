import { FoldingRangeKind, type FoldingRange } from 'vscode-languageserver'
import { foldsOf, type Fold } from '../../../compiler/lsp/folding.js'
import { inFile, type ReadFile } from './in-file.js'

/** One for each line that begins something longer than itself. */
export const foldingRanges = inFile((here): FoldingRange[] => {
  const { root, file } = here
  const found = new Map<number, FoldingRange>()
  for (const fold of foldsOf(root, file.text, file.base)) {
    const range = lines(fold, here)
    if (range.endLine > range.startLine && !found.has(range.startLine)) found.set(range.startLine, range)
  }
  return [...found.values()]
})

/** The line break after a text belongs to none of its lines. */
function lines({ start, end, isComment }: Fold, { file, rangeOf }: ReadFile): FoldingRange {
  const text = file.text.slice(start - file.base, end - file.base)
  const range = rangeOf({ start, end: start + text.trimEnd().length })
  const kind = isComment ? { kind: FoldingRangeKind.Comment } : {}
  return { startLine: range.start.line, endLine: range.end.line, ...kind }
}
