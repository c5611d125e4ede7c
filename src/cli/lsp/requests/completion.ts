import { completionsAt } from '../../../compiler/lsp/completion.js'
import type { YamlNode } from '../../../compiler/parse/tree.js'
import { atPosition } from './at.js'

/** Kinds of the protocol: a field, a value. */
const FIELD = 5
const VALUE = 12

/** While somebody types, the project is as it was before: of the document itself only its text is read. */
export const completion = atPosition(({ document, project, offset }) => {
  const others = project.judged.roots.filter(
    (root, index): root is YamlNode => root !== undefined && project.files[index]!.file !== document.uri,
  )
  return completionsAt(document.text, offset, others).map(({ label, kind, detail, insert }) => ({
    label,
    kind: kind === 'field' ? FIELD : VALUE,
    insertText: insert,
    ...(detail === undefined ? {} : { detail }),
  }))
})
