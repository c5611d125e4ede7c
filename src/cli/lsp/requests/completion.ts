import { CompletionItemKind, type CompletionItem } from 'vscode-languageserver'
import { completionsAt } from '../../../compiler/lsp/completion.js'
import type { YamlNode } from '../../../compiler/parse/tree.js'
import { atPosition } from './at.js'

/** While somebody types, the project is as it was before: of the document itself only its text is read. */
export const completion = atPosition(({ document, project, offset }): CompletionItem[] => {
  const others = project.judged.roots.filter(
    (root, index): root is YamlNode => root !== undefined && project.files[index]!.file !== document.uri,
  )
  return completionsAt(document.getText(), offset, others).map(({ label, kind, detail, insert }) => ({
    label,
    kind: kind === 'field' ? CompletionItemKind.Field : CompletionItemKind.Value,
    insertText: insert,
    ...(detail === undefined ? {} : { detail }),
  }))
})
