import type { Span } from '../../../compiler/parse/tree.js'
import { lineStarts } from '../../../compiler/parse/sources.js'
import { offsetAt, spanRange, type EditorPosition } from '../positions.js'
import { placeIn, type Project } from '../project.js'
import type { OpenDocument, Workspace } from '../workspace.js'

export interface AtParams {
  readonly textDocument: { readonly uri: string }
  readonly position: EditorPosition
  readonly newName?: string
}

/** An open document with the project that it belongs to. */
export interface Here {
  readonly document: OpenDocument
  readonly project: Project
  /** Of the position, within the document. */
  readonly offset: number
  /** The same, counted over all files of the project. */
  readonly everywhere: number
}

/** A request about a place in an open document; null, if the editor has not opened it. */
export const atPosition =
  (answer: (here: Here, params: AtParams) => unknown) =>
  (workspace: Workspace, params: unknown): unknown => {
    const { textDocument, position } = params as AtParams
    const document = workspace.get(textDocument.uri)
    const project = workspace.projectOf(textDocument.uri)
    const file = project?.files.find((each) => each.file === textDocument.uri)
    if (document === undefined || project === undefined || file === undefined) return null
    const offset = offsetAt(document.starts, document.text, position)
    return answer({ document, project, offset, everywhere: file.base + offset }, params as AtParams)
  }

/** Where a place of the project is, as editors say it. */
export function locationOf(project: Project, found: Span): { readonly uri: string; readonly range: object } {
  const { file, span } = placeIn(project, found)
  return { uri: file.file, range: spanRange(lineStarts(file.text), span) }
}
