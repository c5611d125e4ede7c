import type { TextDocument } from 'vscode-languageserver-textdocument'
import { lineStarts, type PlacedSource } from '../../../compiler/parse/sources.js'
import type { Span, YamlNode } from '../../../compiler/parse/tree.js'
import type { Range } from 'vscode-languageserver'
import { spanRange } from '../positions.js'
import type { Project } from '../project.js'
import type { Workspace } from '../workspace.js'

/** An open document as one of the files of its project. */
export interface OpenFile {
  readonly document: TextDocument
  readonly project: Project
  readonly file: PlacedSource
  /** Undefined if it could not be read at all. */
  readonly root: YamlNode | undefined
  /** Converts a span of the project to a range in this file. */
  rangeOf(span: Span): Range
}

export function openFile(workspace: Workspace, uri: string): OpenFile | undefined {
  const document = workspace.get(uri)
  const project = workspace.projectOf(uri)
  const index = project?.files.findIndex((each) => each.file === uri) ?? -1
  const file = project?.files[index]
  if (document === undefined || project === undefined || file === undefined) return undefined
  const starts = lineStarts(file.text)
  const rangeOf = ({ start, end }: Span): Range =>
    spanRange(starts, { start: start - file.base, end: Math.min(end - file.base, file.text.length) })
  return { document, project, file, root: project.judged.roots[index], rangeOf }
}

export interface OfDocument {
  readonly textDocument: { readonly uri: string }
}

/** A request about an open document that can be read; null for any other. */
export const inFile =
  <Params extends OfDocument, Result>(answer: (here: ReadFile, params: Params, workspace: Workspace) => Result) =>
  (workspace: Workspace, params: Params): Result | null => {
    const here = openFile(workspace, params.textDocument.uri)
    if (here?.root === undefined) return null
    return answer({ ...here, root: here.root }, params, workspace)
  }

export type ReadFile = OpenFile & { readonly root: YamlNode }
