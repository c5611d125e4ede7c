import { existsSync } from 'node:fs'
import type { Offer } from './offer.js'

/** Placeholder of an argument -> the names that it stands for. */
const NAMES: { readonly [placeholder: string]: (() => Promise<readonly Offer[]>) | undefined } = {
  capability: capabilities,
  capabilities,
  name: rulesAndFields,
}

/** The names that a placeholder stands for; none where it stands for anything else. */
export const offersOfPlaceholder = async (placeholder: string): Promise<readonly Offer[]> =>
  (Object.hasOwn(NAMES, placeholder) ? await NAMES[placeholder]?.() : undefined) ?? []

const MANIFEST = 'svc.yaml'

/** The capabilities of the manifest of this folder, whatever else is wrong with it. */
async function capabilities(): Promise<readonly Offer[]> {
  if (!existsSync(MANIFEST)) return []
  const { readManifest } = await import('../validate/read-manifest.js')
  const { readDocument } = await import('../../compiler/parse/read-document.js')
  const { declarationsOf, mapAt } = await import('../../compiler/lsp/names.js')
  const { sources } = await readManifest(MANIFEST)
  const roots = sources.flatMap((source) => readDocument({ ...source, base: 0 }, () => undefined) ?? [])
  return declarationsOf(roots).map(({ value }) => {
    const declared = roots.map((root) => mapAt(root, 'capabilities', String(value))).find((each) => each !== undefined)
    return { word: String(value), about: descriptionOf(declared) }
  })
}

function descriptionOf(
  declared: { readonly keys: readonly { readonly value: unknown }[]; readonly values: readonly unknown[] } | undefined,
): string {
  const index = declared?.keys.findIndex(({ value }) => value === 'description') ?? -1
  const node = index === -1 ? undefined : (declared!.values[index] as { readonly value?: unknown })
  return typeof node?.value === 'string' ? node.value : ''
}

async function rulesAndFields(): Promise<readonly Offer[]> {
  const { RULES } = await import('../../compiler/rules/index.js')
  const { fieldNames } = await import('../explain/field.js')
  return [
    ...RULES.flatMap(({ code, slug, description }) => [code, slug].map((word) => ({ word, about: description }))),
    ...(await fieldNames()).map((word) => ({ word, about: 'a field of the manifest' })),
  ]
}
