import { completionsAt } from '../../../compiler/lsp/completion.js'
import { at } from './at.js'

/** Kinds of the protocol: a field, a value. */
const FIELD = 5
const VALUE = 12

export const completion = at(({ document, project, offset, everywhere }) => {
  const others = project.roots.filter(
    ({ start }) => start < everywhere - offset || start > everywhere - offset + document.text.length,
  )
  return completionsAt(document.text, offset, others).map(({ label, kind, detail, insert }) => ({
    label,
    kind: kind === 'field' ? FIELD : VALUE,
    insertText: insert,
    ...(detail === undefined ? {} : { detail }),
  }))
})
