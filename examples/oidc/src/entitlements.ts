import type { JsonObject } from 'svc-kit/runtime'

const SCOPES: { readonly [group: string]: readonly string[] } = {
  readers: ['documents.read'],
  editors: ['documents.read', 'documents.share'],
}

/** What the groups of a person entitle to; nothing without one. */
export function entitlements({ groups }: JsonObject): { readonly scopes: readonly string[] } {
  const names = Array.isArray(groups) ? groups.map(String) : []
  return { scopes: [...new Set(names.flatMap((name) => SCOPES[name] ?? []))] }
}
