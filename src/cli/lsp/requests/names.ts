import { capabilityUsesAt, definitionAt } from '../../../compiler/lsp/definition.js'
import { declarationOf } from '../../../compiler/lsp/names.js'
import { hoverAt } from '../../../compiler/lsp/hover.js'
import { CAPABILITY_NAME } from '../../../protocol/identifiers.js'
import { atPosition, locationOf } from './at.js'

export const hover = atPosition(({ document, project, offset, everywhere }) => {
  const found = project.judged.diagnostics.filter(
    ({ file, range }) => file === document.uri && range.start.offset <= offset && offset <= range.end.offset,
  )
  const value = hoverAt(project.roots, everywhere, found)
  return value === undefined ? null : { contents: { kind: 'markdown', value } }
})

export const definition = atPosition(({ project, everywhere }) => {
  const span = definitionAt(project.roots, everywhere)
  return span === undefined ? null : locationOf(project, span)
})

export const references = atPosition(({ project, everywhere }) =>
  (capabilityUsesAt(project.roots, everywhere)?.spans ?? []).map((span) => locationOf(project, span)),
)

/** Renames a capability in every file of the manifest, those that are not open included. */
export const rename = atPosition(({ project, everywhere }, { newName = '' }) => {
  if (!CAPABILITY_NAME.test(newName))
    throw new Error(`\`${newName}\` is not a capability name: lower-case words joined by _, in parts joined by a dot.`)
  const uses = capabilityUsesAt(project.roots, everywhere)
  if (uses === undefined) return null
  if (newName !== uses.name && declarationOf(project.roots, newName) !== undefined)
    throw new Error(`\`${newName}\` is declared already; choose another name.`)
  const changes: { [uri: string]: object[] } = {}
  for (const { uri, range } of uses.spans.map((span) => locationOf(project, span)))
    (changes[uri] ??= []).push({ range, newText: newName })
  return { changes }
})
