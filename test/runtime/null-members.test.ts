/** Null of an optional member of a request body is "left out" (decisions, section 21), whatever the body is for. */
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { OPERATION_TEXTS } from '../../src/compiler/targets/documents/operations.js'
import { PROTOCOL_SCHEMAS } from '../../src/compiler/targets/documents/protocol-schemas.js'
import { ENDPOINTS, type Operation } from '../../src/protocol/endpoints.js'
import { INVOKE_MEMBERS } from '../../src/protocol/invocation.js'
import { capability, ONE_TIME } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

/** What each required member may be. */
const SAMPLES: { readonly [member: string]: unknown } = {
  scope: ['travel.search'], approval_request_id: 'apr_000000000000000000000000', token_id: 'tok_000000000000000000000000',
  happened: true, reason: 'A test.', parameters: {},
} // prettier-ignore

interface Schema {
  readonly properties: { readonly [member: string]: unknown }
  readonly required?: readonly string[]
}

const bodies = Object.entries(OPERATION_TEXTS).flatMap(([operation, { request }]) => {
  if (request === undefined) return []
  const { properties, required = [] } = PROTOCOL_SCHEMAS[request] as unknown as Schema
  return [[operation, required, Object.keys(properties).filter((name) => !required.includes(name))] as const]
})
const all = [...bodies, ['invoke', ['parameters'], INVOKE_MEMBERS.filter((name) => name !== 'parameters')] as const]
const bearerOf = (operation: Operation, token: string): string =>
  'role' in ENDPOINTS[operation] ? 'op-key' : operation === 'invoke' ? token : 'ana-key'

it.each(all)('%s, which needs %j, takes null for each of %j', async (operation, required, optional) => {
  const approvable = capability({ approval: { required: 'always', grant_policy: ONE_TIME } })
  const { post, root } = await startFixture({ capabilities: { search: capability(), approvable } })
  const { token } = await root()
  const path = ENDPOINTS[operation as Operation].path
    .replace('{capability}', 'search')
    .replace('{name}', 'search')
    .replace('/invocations/{id}', '/invocations/inv-000000000000')
    .replace('/blocks/{id}', '/blocks/blk_000000000000000000000000')
    .replace('/approval_grants/{id}', '/approval_grants/grt_000000000000000000000000')
    .replace('{id}', 'apr_000000000000000000000000')
  const outcome = async (body: object) => {
    const { status, body: answer } = await post(path, bearerOf(operation as Operation, token), body)
    return [status, answer['failure']?.['detail']]
  }
  const least = Object.fromEntries(required.map((name) => [name, SAMPLES[name]]))
  const without = await outcome(least)
  for (const name of optional) expect([name, await outcome({ ...least, [name]: null })]).toEqual([name, without])
  for (const name of required) expect([name, (await outcome({ ...least, [name]: null }))[0]]).toEqual([name, 400])
})

/** Judgements of bodies by the published schema of an operation. */
function judgements(values: readonly (readonly [string, object])[]): readonly boolean[] {
  const input = JSON.stringify({ components: { schemas: PROTOCOL_SCHEMAS }, values })
  const env = { ...process.env, NODE_OPTIONS: '' }
  const output = execFileSync(process.execPath, ['test/values/judge-openapi.js'], { input, env, encoding: 'utf8' })
  return JSON.parse(output) as readonly boolean[]
}

/** Of the revocation of tokens, one target is needed, too. */
const MORE: { readonly [operation: string]: object } = { operator_revoke: { principal: 'human:ana' } }

it('means the same in the published schemas', () => {
  const tried = bodies.flatMap(([operation, required, optional]) => {
    const schema = OPERATION_TEXTS[operation as keyof typeof OPERATION_TEXTS].request!
    const least = { ...Object.fromEntries(required.map((name) => [name, SAMPLES[name]])), ...MORE[operation] }
    const nulls = Object.fromEntries(optional.map((name) => [name, null]))
    const lacking = required.map((name) => [schema, { ...least, [name]: null }, false] as const)
    return [[schema, { ...nulls, ...least }, true] as const, ...lacking]
  })
  const judged = judgements(tried.map(([schema, body]) => [schema, body]))
  expect(tried.map(([schema, body], index) => [schema, body, judged[index]])).toEqual(tried)
})

const TARGETS = [
  [{ principal: 'human:ana' }, true],
  [{ principal: 'human:ana', subject: null, api_key: null, capability: null, token_id: null }, true],
  [{ principal: 'human:ana', subject: 'human:ana' }, false],
  [{ principal: null, subject: 'agent:planner' }, true],
  [{ principal: null }, false],
  [{}, false],
] as const

it('revokes tokens by exactly one target that is not null, as published', async () => {
  const { post } = await startFixture({ capabilities: { search: capability() } })
  const asked = TARGETS.map(([target]) => ({ ...target, reason: 'A test.' }))
  const statuses: number[] = []
  for (const body of asked) statuses.push((await post('/-/tokens/revoke', 'op-key', body)).status)
  expect(statuses).toEqual(TARGETS.map(([, isTaken]) => (isTaken ? 200 : 400)))
  expect(judgements(asked.map((body) => ['TokensRevocationRequest', body]))).toEqual(
    TARGETS.map(([, isTaken]) => isTaken),
  )
})
