import type { ListDocumentsHandler } from '../../generated/handlers.js'
import type { ListDocumentsOutput } from '../../generated/types.js'
import { allDocuments } from '../documents.js'

/** List the documents of the company. */
export const listDocuments: ListDocumentsHandler = (): ListDocumentsOutput => ({
  documents: allDocuments().map((document) => ({ ...document })),
})
