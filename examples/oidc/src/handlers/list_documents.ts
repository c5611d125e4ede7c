import type { ListDocumentsHandler } from '../../generated/handlers.js'
import { allDocuments } from '../documents.js'

/** List the documents of the company. */
export const listDocuments: ListDocumentsHandler = () => ({
  documents: allDocuments().map((document) => ({ ...document })),
})
