import {
  CompletionItemKind,
  InsertTextFormat,
  MarkupKind,
  type CompletionItem,
  type Range,
} from 'vscode-languageserver'
import { capabilityCard } from '../../../compiler/lsp/capability-card.js'
import { completionsAt, type Proposal } from '../../../compiler/lsp/completion.js'
import { fieldDocumentation } from '../../../compiler/lsp/hover.js'
import { capabilityNamed } from '../../../compiler/lsp/names.js'
import type { YamlNode } from '../../../compiler/parse/tree.js'
import type { Workspace } from '../workspace.js'
import { atPosition } from './at.js'

const KINDS: { readonly [kind in Proposal['kind']]: CompletionItemKind } = {
  field: CompletionItemKind.Field,
  value: CompletionItemKind.Value,
  snippet: CompletionItemKind.Snippet,
}
/** Blocks stand below the fields of one name. */
const RANKS: { readonly [kind in Proposal['kind']]: string } = { field: '1', value: '1', snippet: '2' }

/** While somebody types, the project is as it was before: of the document itself only its text is read. */
export const completion = atPosition(({ document, project, offset }, _, { abilities }): CompletionItem[] => {
  const others = project.judged.roots.filter(
    (root, index): root is YamlNode => root !== undefined && project.files[index]!.file !== document.uri,
  )
  const { word, proposals } = completionsAt(document.getText(), offset, others)
  const range = { start: document.positionAt(word.start), end: document.positionAt(word.end) }
  const { takesSnippets } = abilities()
  return proposals
    .filter(({ kind }) => takesSnippets || kind !== 'snippet')
    .map((proposal, index) => itemOf(proposal, index, range, takesSnippets, document.uri))
})

function itemOf(proposal: Proposal, index: number, range: Range, takesSnippets: boolean, uri: string): CompletionItem {
  const { label, kind, detail, insert, snippet, about } = proposal
  const isSnippet = takesSnippets && snippet !== undefined
  return {
    label,
    kind: KINDS[kind],
    sortText: `${RANKS[kind]}${String(index).padStart(4, '0')}`,
    filterText: label,
    insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    textEdit: { range, newText: isSnippet ? snippet : insert },
    data: { uri, ...about } satisfies Described,
    ...(detail === undefined ? {} : { detail }),
  }
}

/** Proposal that an editor sends back for its documentation. */
interface Described {
  readonly uri?: string
  readonly block?: string
  readonly field?: string
}

/** Adds what a field or a word does, or what the capability is that a proposal names. */
export function resolveCompletion(workspace: Workspace, item: CompletionItem): CompletionItem {
  const { uri = '', block = '', field = '' } = (item.data ?? {}) as Described
  const capability = capabilityNamed(workspace.projectOf(uri)?.roots ?? [], item.label)
  const word = item.kind === CompletionItemKind.Value ? item.label : undefined
  const value = fieldDocumentation(block, field, word) ?? (capability && capabilityCard(item.label, capability))
  return value === undefined ? item : { ...item, documentation: { kind: MarkupKind.Markdown, value } }
}
