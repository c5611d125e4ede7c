import { CAPABILITY_NAME } from '../../protocol/identifiers.js'
import { completionsAt } from '../../compiler/lsp/completion.js'
import { capabilityUsesAt, definitionAt } from '../../compiler/lsp/definition.js'
import { hoverAt } from '../../compiler/lsp/hover.js'
import { formatManifest } from '../../compiler/fix/format.js'
import { packageVersion } from '../package-root.js'
import { editorRange, offsetAt, spotRange, type EditorPosition } from './positions.js'
import { editorDiagnostic } from './publish.js'
import type { OpenDocument, Workspace } from './workspace.js'

interface At {
  readonly textDocument: { readonly uri: string }
  readonly position: EditorPosition
  readonly newName?: string
  readonly range?: { readonly start: EditorPosition; readonly end: EditorPosition }
}
type Handle = (workspace: Workspace, params: unknown) => unknown

/** Method -> answer. Anything else is refused as unknown. */
export const REQUESTS: { readonly [method: string]: Handle } = {
  initialize: () => ({ capabilities: CAPABILITIES, serverInfo: { name: 'svc', version: packageVersion() } }),
  shutdown: () => null,
  'textDocument/hover': at(({ root, diagnostics }, offset) => {
    const value = hoverAt(root, offset, diagnostics)
    return value === undefined ? null : { contents: { kind: 'markdown', value } }
  }),
  'textDocument/completion': at(({ text }, offset) =>
    completionsAt(text, offset).map(({ label, kind, detail, insert }) => ({
      label,
      kind: kind === 'field' ? 5 : 12,
      insertText: insert,
      ...(detail === undefined ? {} : { detail }),
    })),
  ),
  'textDocument/definition': at(({ root, uri, starts }, offset) => {
    const spot = root === undefined ? undefined : definitionAt(root, offset)
    return spot === undefined ? null : { uri, range: spotRange(starts, spot) }
  }),
  'textDocument/references': at(({ root, uri, starts }, offset) =>
    (root === undefined ? [] : (capabilityUsesAt(root, offset)?.spots ?? [])).map((spot) => ({
      uri,
      range: spotRange(starts, spot),
    })),
  ),
  'textDocument/rename': at(rename),
  'textDocument/codeAction': (workspace, params) => quickFixes(workspace, params as At),
  'textDocument/formatting': (workspace, params) => formatting(workspace, params as At),
}

const CAPABILITIES = {
  textDocumentSync: { openClose: true, change: 1, save: true },
  hoverProvider: true,
  completionProvider: { triggerCharacters: [' ', '.', ':', '-'] },
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: true,
  codeActionProvider: { codeActionKinds: ['quickfix'] },
  documentFormattingProvider: true,
}

/** A request about a place in an open document. */
function at(handle: (document: OpenDocument, offset: number, params: At) => unknown): Handle {
  return (workspace, params) => {
    const { textDocument, position } = params as At
    const document = workspace.get(textDocument.uri)
    return document === undefined ? null : handle(document, offsetAt(document.starts, position), params as At)
  }
}

function rename({ root, uri, starts }: OpenDocument, offset: number, { newName = '' }: At): unknown {
  if (!CAPABILITY_NAME.test(newName))
    throw new Error(`\`${newName}\` is not a capability name: lower-case words joined by _, in parts joined by a dot.`)
  const uses = root === undefined ? undefined : capabilityUsesAt(root, offset)
  if (uses === undefined) return null
  return { changes: { [uri]: uses.spots.map((spot) => ({ range: spotRange(starts, spot), newText: newName })) } }
}

function quickFixes(workspace: Workspace, { textDocument: { uri }, range }: At): unknown {
  const document = workspace.get(uri)
  if (document === undefined || range === undefined) return []
  const [from, to] = [offsetAt(document.starts, range.start), offsetAt(document.starts, range.end)]
  const near = document.diagnostics.filter((each) => each.range.start.offset <= to && each.range.end.offset >= from)
  return near.flatMap((each) => {
    if (each.fix === undefined) return []
    const changes = { [uri]: each.fix.map((edit) => ({ range: editorRange(edit.range), newText: edit.newText })) }
    return [
      {
        title: titleOf(each.suggestion, each.code),
        kind: 'quickfix',
        diagnostics: [editorDiagnostic(each)],
        edit: { changes },
      },
    ]
  })
}

const titleOf = (suggestion: string | undefined, code: string): string =>
  suggestion === undefined ? `Mend ${code}` : `Write ${suggestion}`

function formatting(workspace: Workspace, { textDocument: { uri } }: At): unknown {
  const document = workspace.get(uri)
  const formatted = document === undefined ? undefined : formatManifest(document.text)
  if (document === undefined || formatted === undefined || formatted === document.text) return []
  return [{ range: spotRange(document.starts, { start: 0, end: document.text.length }), newText: formatted }]
}
