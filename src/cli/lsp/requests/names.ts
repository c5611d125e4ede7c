import { LSPErrorCodes, MarkupKind, ResponseError, type Hover, type Location, type RenameParams, type TextEdit, type WorkspaceEdit } from 'vscode-languageserver' // prettier-ignore
import { capabilityUsesAt, definitionAt } from '../../../compiler/lsp/definition.js'
import { declarationOf } from '../../../compiler/lsp/names.js'
import { hoverAt } from '../../../compiler/lsp/hover.js'
import { CAPABILITY_NAME } from '../../../protocol/identifiers.js'
import { atPosition, locationOf } from './at.js'

export const hover = atPosition(({ document, project, offset, everywhere }): Hover | null => {
  const found = project.judged.diagnostics.filter(
    ({ file, range }) => file === document.uri && range.start.offset <= offset && offset <= range.end.offset,
  )
  const value = hoverAt(project.roots, everywhere, found)
  return value === undefined ? null : { contents: { kind: MarkupKind.Markdown, value } }
})

export const definition = atPosition(({ project, everywhere }): Location | null => {
  const span = definitionAt(project.roots, everywhere)
  return span === undefined ? null : locationOf(project, span)
})

export const references = atPosition(({ project, everywhere }): Location[] =>
  (capabilityUsesAt(project.roots, everywhere)?.spans ?? []).map((span) => locationOf(project, span)),
)

/** Renames a capability in every file of the manifest, those that are not open included. */
export const rename = atPosition(({ project, everywhere }, { newName }: RenameParams): WorkspaceEdit | null => {
  if (!CAPABILITY_NAME.test(newName))
    throw refused(`\`${newName}\` is not a capability name: lower-case words joined by _, in parts joined by a dot.`)
  const uses = capabilityUsesAt(project.roots, everywhere)
  if (uses === undefined) return null
  if (newName !== uses.name && declarationOf(project.roots, newName) !== undefined)
    throw refused(`\`${newName}\` is declared already; choose another name.`)
  const changes: { [uri: string]: TextEdit[] } = {}
  for (const { uri, range } of uses.spans.map((span) => locationOf(project, span)))
    (changes[uri] ??= []).push({ range, newText: newName })
  return { changes }
})

const refused = (message: string): ResponseError => new ResponseError(LSPErrorCodes.RequestFailed, message)
