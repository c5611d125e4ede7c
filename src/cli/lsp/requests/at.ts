import {
  ErrorCodes,
  Position,
  ResponseError,
  type Location,
  type TextDocumentPositionParams,
} from 'vscode-languageserver'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { lineStarts } from '../../../compiler/parse/sources.js'
import type { Span } from '../../../compiler/parse/tree.js'
import { spanRange } from '../positions.js'
import { placeIn, type Project } from '../project.js'
import type { Workspace } from '../workspace.js'

/** An open document with the project that it belongs to. */
export interface Here {
  readonly document: TextDocument
  readonly project: Project
  /** Of the position, within the document. */
  readonly offset: number
  /** The same, counted over all files of the project. */
  readonly everywhere: number
}

/** A request about a place in an open document; null, if the editor has not opened it. */
export const atPosition =
  <Params extends TextDocumentPositionParams, Result>(
    answer: (here: Here, params: Params, workspace: Workspace) => Result,
  ) =>
  (workspace: Workspace, params: Params): Result | null => {
    const { textDocument, position } = params
    if (!Position.is(position)) throw new ResponseError(ErrorCodes.InvalidParams, 'The position is none.')
    const document = workspace.get(textDocument.uri)
    const project = workspace.projectOf(textDocument.uri)
    const file = project?.files.find((each) => each.file === textDocument.uri)
    if (document === undefined || project === undefined || file === undefined) return null
    const offset = document.offsetAt(position)
    return answer({ document, project, offset, everywhere: file.base + offset }, params, workspace)
  }

/** Converts a span of the project to an editor location. */
export function locationOf(project: Pick<Project, 'files'>, found: Span): Location {
  const { file, span } = placeIn(project, found)
  return { uri: file.file, range: spanRange(lineStarts(file.text), span) }
}
