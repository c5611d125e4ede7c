/** Permissions and invoke, over every pair of a token and a capability (decisions, sections 4 and 21). */
import { expect, it } from 'vitest'
import type { Capability } from '../../src/protocol/manifest.js'
import type { UnavailablePermission } from '../../src/protocol/permissions.js'
import type { Principal } from '../../src/protocol/principals.js'
import type { Budget, DelegationClaims, TokenRecord } from '../../src/protocol/token.js'
import type { Token } from '../../src/runtime/auth/token.js'
import { begin } from '../../src/runtime/call/invocation.js'
import { invoke } from '../../src/runtime/call/invoke.js'
import { permissionsOf } from '../../src/runtime/call/permissions.js'
import { capability, composition } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const CLASSES = [undefined, ['human'], ['agent'], ['service'], ['oidc'], ['human', 'service']] as const
const SCOPES = [['a'], ['b']] as const
const CONTROLS = [undefined, [{ type: 'cost_ceiling' }], [{ type: 'stronger_delegation_required' }]] as const

/** Each class, scope and control requirement; and a composition of each one. */
const CAPABILITIES = everyCapability()

function everyCapability(): { readonly [name: string]: Capability } {
  const atomic = CLASSES.flatMap((requires_principal, one) =>
    SCOPES.flatMap((minimum_scope, two) =>
      CONTROLS.map((control_requirements, three) => {
        const declared = Object.entries({ requires_principal, control_requirements }).filter(([, value]) => value)
        return [`c${one}${two}${three}`, capability({ minimum_scope, ...Object.fromEntries(declared) })] as const
      }),
    ),
  )
  const composed = atomic.map(
    ([name], index) =>
      [`of_${name}`, capability({ minimum_scope: SCOPES[index % 2]!, kind: 'composed', composition: composition([{ id: 's', capability: name }]) })] as const,
  ) // prettier-ignore
  return Object.fromEntries([...atomic, ...composed])
}

const HOLDERS = [['human:ana', 'human:ana'], ['agent:x', 'human:ana'], ['service:s', 'service:s'], ['agent:x', 'agent:x'], ['oidc:o', 'oidc:o']] as const // prettier-ignore
const DEPTHS = [0, 1, 4] as const
const BINDINGS = [undefined, 'c002', 'of_c002', 'c111'] as const
const PURPOSES = [{}, { task: 't', budget: { currency: 'EUR', max_amount: 5 } }] as const

const everyToken = (): readonly Token[] =>
  HOLDERS.flatMap(([sub, root_principal]) =>
    SCOPES.flatMap((scope) =>
      BINDINGS.flatMap((bound) =>
        PURPOSES.flatMap((purpose) =>
          DEPTHS.map((depth) => tokenAt(claimsOf({ sub, root_principal, scope, bound, ...purpose }), depth)),
        ),
      ),
    ),
  )

interface Given {
  readonly sub: Principal
  readonly root_principal: Principal
  readonly scope: readonly string[]
  readonly bound: string | undefined
  readonly task?: string
  readonly budget?: Budget
}

let ids = 0

const claimsOf = ({ bound, task, budget, ...given }: Given): DelegationClaims => ({
  jti: `tok_${ids++}`, iss: 's', aud: 's', iat: 0, nbf: 0, exp: 9e9, ...given,
  ...(bound !== undefined && { capability: bound }),
  purpose: task === undefined ? { parameters: {} } : { parameters: { task_id: task }, task_id: task },
  constraints: { max_delegation_depth: 3, concurrent_branches: 'allowed', ...(budget && { budget }) },
}) // prettier-ignore

/** A token below ancestors that have the same claims. */
function tokenAt(claims: DelegationClaims, depth: number): Token {
  const chain = Array.from({ length: depth + 1 }, (_, at): TokenRecord => ({ claims, depth: at }))
  return { claims, record: chain.at(-1)!, chain: [chain[0]!, ...chain.slice(1)], read: { at: 0, afterRevocations: 0 } }
}

const MOST = 100_000_000
const LIMITS = { refusalsPerMinute: MOST, invocationsPerMinute: MOST }

/** Section 5.9, read from the document: only a root token of such a principal itself may call, a step included. */
function isDelegable({ claims: { sub, root_principal }, record }: Token, name: string): boolean {
  const classes = CAPABILITIES[name.replace('of_', '')]!.requires_principal
  const isDirect = record.depth === 0 && sub === root_principal
  return classes === undefined || (isDirect && classes.some((each) => sub.startsWith(`${each}:`)))
}

it('say the same of every pair of them, and deny what nobody could delegate', async () => {
  const { service } = await startFixture({ capabilities: CAPABILITIES, limits: LIMITS })
  const disagreeing: string[] = []
  let pairs = 0
  for (const token of everyToken()) {
    await service.storage.tokens.insert({ claims: token.claims, depth: 0 }, JSON.stringify(token.claims))
    const { available, restricted, denied } = permissionsOf(service, token)
    for (const { capability: name } of available) await compare(token, name, undefined)
    for (const entry of [...restricted, ...denied]) await compare(token, entry.capability, entry)
  }
  async function compare(token: Token, name: string, refused: UnavailablePermission | undefined): Promise<void> {
    pairs += 1
    const id = service.ids.invocation()
    const { body } = await invoke(service, begin({ id, name, token, request: { parameters: {} } }))
    const { success, failure } = JSON.parse(body)
    const says = refused && [refused.reason, refused.resolution_hint ?? 'invoke_as_root_principal']
    const does = success ? undefined : [failure.detail, failure.resolution.action]
    const denied = refused?.reason_type === 'non_delegable'
    if (JSON.stringify(says) !== JSON.stringify(does) || denied === isDelegable(token, name))
      disagreeing.push(`${name} with ${JSON.stringify(token.claims)}: ${refused?.reason_type} ${body}`)
  }
  expect(pairs).toBe(240 * 72)
  expect(disagreeing.slice(0, 3)).toEqual([])
}, 300_000)
