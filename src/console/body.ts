import type { Json } from '../protocol/manifest.js'
import { readBody } from '../runtime/http/body.js'
import type { Visit } from './visit.js'

/** The JSON of a change; a form cannot send one. */
export const formOf = ({ setting, request }: Visit): Promise<Json | undefined> =>
  readBody(request, setting.service, request.client)
