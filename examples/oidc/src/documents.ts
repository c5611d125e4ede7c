/** The documents of a company. A real service keeps them in its database. */
export interface Document {
  readonly document_id: string
  readonly title: string
  readonly shared_with: readonly string[]
}

const documents = new Map<string, Document>(
  [
    { document_id: 'd-1', title: 'Budget', shared_with: [] },
    { document_id: 'd-2', title: 'Menu of the canteen', shared_with: ['all@example.org'] },
  ].map((document) => [document.document_id, document]),
)

export const allDocuments = (): readonly Document[] => [...documents.values()]

/** The document as it is afterwards; undefined when there is none. */
export function share(id: string, person: string): Document | undefined {
  const document = documents.get(id)
  if (document === undefined) return undefined
  const shared = { ...document, shared_with: [...new Set([...document.shared_with, person])] }
  documents.set(id, shared)
  return shared
}
