import type { Json } from '../protocol/manifest.js'
import { readBody } from '../runtime/http/body.js'
import type { Person } from './session/person.js'
import type { Visit } from './visit.js'

interface Sender extends Visit {
  readonly person?: Person
}

/** The JSON of a change, at the expense of whoever has signed in (threat N10); a form cannot send one. */
export const formOf = ({ setting, request, person }: Sender): Promise<Json | undefined> =>
  readBody(request, setting.service, person?.known.principal ?? request.client)
