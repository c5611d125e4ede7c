import type { Source } from '../diagnostics.js'
import { readDocument } from './read-document.js'
import { valueAt } from './tree.js'

/** The id and the capability names that a manifest and its fragments declare; undefined if there is no id. */
export function serviceOf(
  sources: readonly Source[],
): { readonly id: string; readonly capabilities: ReadonlySet<string> } | undefined {
  const roots = sources.map(({ file, text }) => readDocument({ file, text, base: 0 }, () => undefined))
  const names = new Set<string>()
  let id: string | undefined
  for (const root of roots) {
    if (root?.kind !== 'map') continue
    const identity = valueAt(root, 'service_identity')
    const own = identity?.kind === 'map' ? valueAt(identity, 'id') : undefined
    if (own?.kind === 'scalar' && typeof own.value === 'string') id ??= own.value
    const capabilities = valueAt(root, 'capabilities')
    if (capabilities?.kind === 'map') for (const key of capabilities.keys) names.add(String(key.value))
  }
  return id === undefined ? undefined : { id, capabilities: names }
}
