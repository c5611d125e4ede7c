import type { InlayHint, InlayHintParams } from 'vscode-languageserver'
import { hintsOf } from '../../../compiler/lsp/hints.js'
import { inFile } from './in-file.js'

export const inlayHints = inFile(({ root, file, document, rangeOf }, { range }: InlayHintParams): InlayHint[] =>
  hintsOf(root, {
    start: document.offsetAt(range.start) + file.base,
    end: document.offsetAt({ line: range.end.line + 1, character: 0 }) + file.base,
  })
    .map(({ offset, text }) => ({
      position: rangeOf({ start: offset, end: offset }).start,
      label: text,
      paddingLeft: true,
    })) // prettier-ignore
    .filter(({ position: { line } }) => range.start.line <= line && line <= range.end.line),
)
