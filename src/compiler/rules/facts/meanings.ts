import type { Span } from '../../parse/tree.js'
import { itemAt, keyOf, type View } from '../../shape/view.js'
import type { Input } from '../../../protocol/manifest.js'

/** The explained values in either spelling: value -> text, or a list [2.5]. */
export function meaningsOf(
  meanings: NonNullable<View<Input>['input_meanings']>,
): readonly { readonly value: unknown; readonly span: Span }[] {
  if (Array.isArray(meanings)) return meanings.map(({ value }, index) => ({ value, span: itemAt(meanings, index) }))
  const map = meanings as unknown as Parameters<typeof keyOf>[0]
  return Object.keys(map).map((value) => ({ value, span: keyOf(map, value) }))
}
