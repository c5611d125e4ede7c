import type { ShareDocumentHandler } from '../../generated/handlers.js'
import type { ShareDocumentOutput } from '../../generated/types.js'
import { share } from '../documents.js'

/** Share a document with a person. The token says who does it: nobody can name somebody else. */
export const shareDocument: ShareDocumentHandler = (
  { document_id, with: person },
  { token, fail },
): ShareDocumentOutput => {
  const document = share(document_id, person)
  if (document === undefined) return fail('document_unknown', `There is no document ${document_id}.`)
  return { document_id, shared_with: document.shared_with, shared_by: token.root_principal }
}
