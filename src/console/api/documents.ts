import { httpResponseOf } from '../../runtime/http/response.js'
import type { Document } from '../../runtime/keys/published-documents.js'
import type { ConsoleRoute, SignedInVisit } from '../visit.js'

/** The manifest and the tools for the pages, where the service shows them to callers with a credential only. */
export const documentRoutes: readonly ConsoleRoute[] = [
  { method: 'GET', path: '/api/manifest', isPassive: true, signedIn: async (visit) => shown(visit, await visit.setting.service.documents.manifest()) },
  { method: 'GET', path: '/api/tools', isPassive: true, signedIn: async (visit) => shown(visit, visit.setting.service.documents.tools()) },
] // prettier-ignore

const shown = ({ request }: SignedInVisit, document: Document) =>
  httpResponseOf({ document: { ...document, isPrivate: true } }, request)
