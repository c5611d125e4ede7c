export { listDocuments } from './list_documents.js'
export { shareDocument } from './share_document.js'
