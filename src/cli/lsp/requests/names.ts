import {
  DocumentHighlightKind,
  MarkupKind,
  type DocumentHighlight,
  type Hover,
  type Location,
  type ReferenceParams,
} from 'vscode-languageserver'
import { definitionAt } from '../../../compiler/lsp/definition.js'
import { hoverAt } from '../../../compiler/lsp/hover.js'
import { namingAt, usesOf, type Naming } from '../../../compiler/lsp/namings.js'
import { ruleOf } from '../../../compiler/rules/index.js'
import { rulesOfFields } from '../../explain/rules-of-fields.js'
import { atPosition, locationOf, type Here } from './at.js'

export const hover = atPosition(({ document, project, offset, everywhere }): Hover | null => {
  const found = project.judged.diagnostics.filter(
    ({ file, range }) => file === document.uri && range.start.offset <= offset && offset <= range.end.offset,
  )
  const value = hoverAt(project.roots, everywhere, found, rulesOfFields(ruleOf))
  return value === undefined ? null : { contents: { kind: MarkupKind.Markdown, value } }
})

export const definition = atPosition(({ project, everywhere }): Location | null => {
  const span = definitionAt(project.roots, everywhere)
  return span === undefined ? null : locationOf(project, span)
})

export const references = atPosition((here, { context }: ReferenceParams): Location[] =>
  usesHere(here)
    .filter(({ isDeclaration }) => !isDeclaration || context?.includeDeclaration !== false)
    .map(({ span }) => locationOf(here.project, span)),
)

export const highlights = atPosition((here): DocumentHighlight[] =>
  usesHere(here).flatMap(({ span, isDeclaration }) => {
    const { uri, range } = locationOf(here.project, span)
    const kind = isDeclaration ? DocumentHighlightKind.Write : DocumentHighlightKind.Read
    return uri === here.document.uri ? [{ range, kind }] : []
  }),
)

function usesHere({ project, everywhere }: Here): readonly Naming[] {
  const naming = namingAt(project.roots, everywhere)
  return naming === undefined ? [] : usesOf(project.roots, naming)
}
