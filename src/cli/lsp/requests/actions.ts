import {
  CodeActionKind,
  type CodeAction,
  type CodeActionParams,
  type Range,
  type SnippetTextEdit,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver'
import { applyFixes } from '../../../compiler/fix/apply-fixes.js'
import type { Diagnostic } from '../../../compiler/index.js'
import { suppressionOf } from '../../../compiler/lsp/suppress.js'
import { lineStarts } from '../../../compiler/parse/sources.js'
import { editorRange, spanRange } from '../positions.js'
import type { Project } from '../project.js'
import { editorDiagnostic } from '../publish.js'
import type { Workspace } from '../workspace.js'
import { openFile, type OpenFile } from './in-file.js'

/** Fixes of every finding of the manifest that are safe. */
const FIX_ALL = `${CodeActionKind.SourceFixAll}.svc`

export const ACTION_KINDS: readonly string[] = [CodeActionKind.QuickFix, FIX_ALL]

/** Returns the fixes for the findings that a selection touches, and for all findings. */
export function codeActions(workspace: Workspace, { textDocument, range, context }: CodeActionParams): CodeAction[] {
  const here = openFile(workspace, textDocument.uri)
  if (here === undefined) return []
  const wants = (kind: string): boolean => context?.only?.some((only) => isWithin(kind, only)) ?? true
  const quick = wants(CodeActionKind.QuickFix) ? touched(here, range) : []
  return [
    ...quick.flatMap(quickFix),
    ...quick.flatMap((each) => suppression(each, here, workspace)),
    ...(wants(FIX_ALL) ? fixAll(here, workspace, context?.only !== undefined) : []),
  ]
}

/** `source.fixAll.svc` is within `source.fixAll` and `source`. */
const isWithin = (kind: string, only: string): boolean => kind === only || kind.startsWith(`${only}.`) || only === ''

function touched({ document, project }: OpenFile, range: Range): readonly Diagnostic[] {
  const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)]
  return project.judged.diagnostics.filter(
    (each) => each.file === document.uri && each.range.start.offset <= to && each.range.end.offset >= from,
  )
}

function quickFix(diagnostic: Diagnostic): readonly CodeAction[] {
  const { fix, suggestion, code, isGuess } = diagnostic
  if (fix === undefined) return []
  const changes: { [uri: string]: TextEdit[] } = {}
  for (const { file, range, newText } of fix) (changes[file] ??= []).push({ range: editorRange(range), newText })
  const title = suggestion === undefined ? `Fix ${code}` : `Write ${suggestion}`
  const isPreferred = isGuess === undefined
  return [
    {
      title,
      kind: CodeActionKind.QuickFix,
      isPreferred,
      diagnostics: [editorDiagnostic(diagnostic)],
      edit: { changes },
    },
  ]
}

/** A comment above the line. Whoever writes it says why: the cursor is there, or a word that asks. */
function suppression(diagnostic: Diagnostic, here: OpenFile, workspace: Workspace): readonly CodeAction[] {
  const { document, file, root } = here
  if (document.uri.endsWith('.json')) return []
  const comment = suppressionOf(diagnostic, file.text, root, file.base)
  if (comment === undefined) return []
  const start = document.positionAt(comment.offset)
  const range = { start, end: start }
  const title = `Suppress ${diagnostic.code} (${diagnostic.slug}) on this line, with a reason`
  const diagnostics = [editorDiagnostic(diagnostic)]
  const kind = CodeActionKind.QuickFix
  const plain: WorkspaceEdit = { changes: { [document.uri]: [{ range, newText: `${comment.text}TODO: say why\n` }] } }
  if (!workspace.abilities().takesSnippetEdits) return [{ title, kind, diagnostics, edit: plain }]
  const snippet: SnippetTextEdit = { range, snippet: { kind: 'snippet', value: `${comment.text}\${1:why}\n` } }
  const textDocument = { uri: document.uri, version: document.version }
  return [{ title, kind, diagnostics, edit: { documentChanges: [{ textDocument, edits: [snippet] }] } }]
}

/** Several checks are made for it: at once only for an editor that asks for nothing else, or that cannot ask later. */
function fixAll({ document, project }: OpenFile, workspace: Workspace, isAskedFor: boolean): readonly CodeAction[] {
  const isFixable = project.judged.diagnostics.some(({ fix, isGuess }) => fix !== undefined && isGuess === undefined)
  const { resolvesActions } = workspace.abilities()
  if (!isFixable || (!isAskedFor && !resolvesActions)) return []
  const action = { title: 'Fix all that svc can fix safely', kind: FIX_ALL, data: { uri: document.uri } }
  return [isAskedFor ? { ...action, edit: allFixes(project) } : action]
}

export function resolveAction(workspace: Workspace, action: CodeAction): CodeAction {
  const { uri = '' } = (action.data ?? {}) as { readonly uri?: string }
  const project = workspace.projectOf(uri)
  return project === undefined || action.edit !== undefined ? action : { ...action, edit: allFixes(project) }
}

function allFixes({ files, options }: Project): WorkspaceEdit {
  const changes: { [uri: string]: TextEdit[] } = {}
  const fixed = applyFixes(files, options)
  for (const [index, { file, text }] of files.entries()) {
    const edit = differenceOf(text, fixed[index]?.text ?? text)
    if (edit !== undefined) changes[file] = [edit]
  }
  return { changes }
}

/** The one stretch that differs. */
function differenceOf(before: string, after: string): TextEdit | undefined {
  if (before === after) return undefined
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let rest = 0
  while (rest < most - start && before.at(-1 - rest) === after.at(-1 - rest)) rest++
  const range = spanRange(lineStarts(before), { start, end: before.length - rest })
  return { range, newText: after.slice(start, after.length - rest) }
}
