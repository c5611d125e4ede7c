import {
  SemanticTokensBuilder,
  SemanticTokenModifiers,
  SemanticTokenTypes,
  type Range,
  type SemanticTokens,
  type SemanticTokensLegend,
  type SemanticTokensRangeParams,
} from 'vscode-languageserver'
import { colouredTokens, type ColouredToken } from '../../../compiler/lsp/tokens.js'
import { inFile, type ReadFile } from './in-file.js'

/** Editor type of each kind, which a colour theme knows. */
const TYPES: { readonly [kind in ColouredToken['kind']]: SemanticTokenTypes } = {
  capability: SemanticTokenTypes.function,
  input: SemanticTokenTypes.parameter,
  output: SemanticTokenTypes.property,
  step: SemanticTokenTypes.variable,
  scope: SemanticTokenTypes.decorator,
  word: SemanticTokenTypes.enumMember,
  type: SemanticTokenTypes.type,
}
const DECLARATION = 1

export const TOKENS_LEGEND: SemanticTokensLegend = {
  tokenTypes: Object.values(TYPES),
  tokenModifiers: [SemanticTokenModifiers.declaration],
}

export const semanticTokens = inFile((here): SemanticTokens => encoded(here, () => true))

export const semanticTokensInRange = inFile((here, { range }: SemanticTokensRangeParams): SemanticTokens =>
  encoded(here, ({ start }) => range.start.line <= start.line && start.line <= range.end.line),
)

function encoded(here: ReadFile, isWanted: (range: Range) => boolean): SemanticTokens {
  const builder = new SemanticTokensBuilder()
  const kinds = Object.keys(TYPES)
  for (const token of colouredTokens(here.project.roots, here.root)) {
    const range = here.rangeOf(token)
    // A token of several lines is none that every editor takes.
    if (range.start.line !== range.end.line || !isWanted(range)) continue
    const { line, character } = range.start
    builder.push(
      line,
      character,
      token.end - token.start,
      kinds.indexOf(token.kind),
      token.isDeclaration ? DECLARATION : 0,
    )
  }
  return builder.build()
}
