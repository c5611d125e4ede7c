import {
  LSPErrorCodes,
  ResponseError,
  type PrepareRenameResult,
  type RenameParams,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver'
import { usesOf } from '../../../compiler/lsp/namings.js'
import { renameableAt, renameTrouble } from '../../../compiler/lsp/renaming.js'
import { atPosition, locationOf } from './at.js'

/** Returns the range to rename, before a new name is entered; null if there is no name. */
export const prepareRename = atPosition(({ project, everywhere }): PrepareRenameResult | null => {
  const naming = renameableAt(project.roots, everywhere)
  return naming === undefined ? null : { range: locationOf(project, naming.span).range, placeholder: naming.name }
})

/** Renames in every file of the manifest, those that are not open included. */
export const rename = atPosition(({ project, everywhere }, { newName }: RenameParams): WorkspaceEdit | null => {
  const naming = renameableAt(project.roots, everywhere)
  if (naming === undefined) return null
  const trouble = renameTrouble(project.roots, naming, String(newName))
  if (trouble !== undefined) throw new ResponseError(LSPErrorCodes.RequestFailed, trouble)
  const changes: { [uri: string]: TextEdit[] } = {}
  for (const { span } of usesOf(project.roots, naming)) {
    const { uri, range } = locationOf(project, span)
    ;(changes[uri] ??= []).push({ range, newText: newName })
  }
  return { changes }
})
