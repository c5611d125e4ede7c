/** Deviations that are planted into the answers of a service, and the sentences that they break. */
import type { JsonObject } from '../../../src/protocol/manifest.js'

interface Plant {
  /** Method and path of the answers that are altered. */
  readonly path: RegExp
  readonly alter: (body: Body) => unknown
  /** Sections whose sentences are looked at. */
  readonly sections: readonly string[]
}
type Body = JsonObject & { readonly [name: string]: never }

const without = (of: object, name: string): object =>
  Object.fromEntries(Object.entries(of).filter(([each]) => each !== name))

const memberOf = (member: object | undefined): object => member ?? {}

/** A client to whom a proxy gives other answers. */
export const altering =
  (own: typeof fetch, path: RegExp, alter: Plant['alter']): typeof fetch =>
  async (input, init) => {
    const response = await own(input, init)
    const { pathname } = new URL(String(input))
    const text = await response.text()
    if (!path.test(`${init?.method ?? 'GET'} ${pathname}`) || !text.startsWith('{')) return again(response, text)
    return again(response, JSON.stringify(alter(JSON.parse(text) as Body)))
  }

const again = ({ status, headers }: Response, text: string): Response =>
  new Response(status === 304 ? null : text, { status, headers })

const inEach = (list: readonly object[] | undefined, change: (each: object) => object): readonly object[] =>
  (list ?? []).map(change)

const refused = (type: string, change: object) => (body: Body) =>
  body['failure']?.['type'] === type ? { ...body, failure: { ...memberOf(body['failure']), ...change } } : body

export const PLANTED: readonly (readonly [string, Plant, readonly string[]])[] = [
  ['a version that is none', { path: /known.svc$/u, alter: ({ svc_discovery }) => ({ svc_discovery: { ...memberOf(svc_discovery), version: 'v24' } }), sections: ['2.1', '9'] }, ['2.1-3', '2.1-4', '9-1']],
  ['keys for encryption', { path: /jwks.json$/u, alter: ({ keys }) => ({ keys: inEach(keys, (key) => ({ ...key, use: 'enc' })) }), sections: ['2.2', '4.2'] }, ['2.2-8']],
  ['a manifest without dates', { path: /manifest$/u, alter: (body) => ({ ...body, manifest_metadata: without(memberOf(body['manifest_metadata']), 'expires_at') }), sections: ['2.3', '4.3', '9'] }, ['2.3-5', '2.3-6', '9-6']],
  ['tokens that are not said to be issued', { path: /tokens$/u, alter: (body) => ('issued' in body ? without(body, 'issued') : body), sections: ['4.4'] }, ['4.4-25', '4.4-35', '4.4-36']],
  ['a reason without its type', { path: /permissions$/u, alter: (body) => ('restricted' in body ? { ...body, restricted: inEach(body['restricted'], (each) => without(each, 'reason_type')) } : body), sections: ['4.5'] }, ['4.5-10', '4.5-19', '4.5-22', '4.5-24']],
  ['ids of another form', { path: /invoke/u, alter: (body) => ('invocation_id' in body ? { ...body, invocation_id: String(body['invocation_id']).toUpperCase() } : body), sections: ['2.13', '4.6'] }, ['2.13-1', '4.6-24']],
  ['a budget whose check is not told', { path: /invoke/u, alter: (body) => ('budget_context' in body ? { ...body, budget_context: without(memberOf(body['budget_context']), 'cost_check_amount') } : body), sections: ['4.6', '2.7'] }, ['2.7-14', '4.6-37', '4.6-42', '4.6-44', '4.6-48']],
  ['a refusal that invites to retry', { path: /invoke/u, alter: refused('budget_exceeded', { retry: true }), sections: ['7', '4.6'] }, ['7-24']],
  ['a failure of another action', { path: /invoke/u, alter: refused('binding_stale', { resolution: { action: 'retry_now', recovery_class: 'retry_now' } }), sections: ['7', '5'] }, ['7-28']],
  ['grants for one use more', { path: /approval_grants$/u, alter: (body) => ('max_uses' in body ? { ...body, max_uses: Number(body['max_uses']) + 1 } : body), sections: ['2.12', '4.7'] }, ['2.12-20', '2.12-22', '4.7-13']],
  ['entries without a token', { path: /audit$/u, alter: (body) => ({ ...body, entries: inEach(body['entries'], (each) => without(each, 'token_id')) }), sections: ['2.14', '4.8', '6'] }, ['2.14-12', '6-10']],
  ['a checkpoint without its tree', { path: /checkpoints.ckp_/u, alter: (body) => without(body, 'tree_head'), sections: ['2.15', '4.10'] }, ['2.15-9', '4.10-2']],
] // prettier-ignore
