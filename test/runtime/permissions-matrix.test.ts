/** Permissions and invoke, over every pair of a token and a capability (decisions, sections 4 and 21). */
import { expect, it } from 'vitest'
import type { Capability, Cost } from '../../src/protocol/manifest.js'
import type { UnavailablePermission } from '../../src/protocol/permissions.js'
import type { Principal } from '../../src/protocol/principals.js'
import type { Budget, DelegationClaims, TokenRecord } from '../../src/protocol/token.js'
import type { Token } from '../../src/runtime/auth/token.js'
import { begin } from '../../src/runtime/call/invocation.js'
import { invoke } from '../../src/runtime/call/invoke.js'
import { permissionsOf } from '../../src/runtime/call/permissions.js'
import { spentCeilings } from '../../src/runtime/call/reserve/budget-hold.js'
import type { Service } from '../../src/runtime/service.js'
import { capability, composition, input } from './fixture/manifest.js'
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

/** The difference of what permissions and invoke say of a pair; undefined where they say the same. */
async function difference(service: Service, token: Token, name: string): Promise<string | undefined> {
  const { available, restricted, denied } = permissionsOf(service, token, await spentCeilings(service, { token }))
  const entry = [...restricted, ...denied].find(({ capability: each }) => each === name)
  if ((entry === undefined) !== available.some(({ capability: each }) => each === name))
    return `${name} is listed twice`
  return differenceOf(service, token, name, entry)
}

/** The amount that a call passes where an input fixes its price: a higher one is refused for what the call passes. */
const LOWEST = 0

async function differenceOf(service: Service, token: Token, name: string, refused: UnavailablePermission | undefined) {
  const id = service.ids.invocation()
  const parameters = Object.fromEntries(service.capabilities.get(name)!.inputs.map((each) => [each.name, LOWEST]))
  const { body } = await invoke(service, begin({ id, name, token, request: { parameters } }))
  const { success, failure } = JSON.parse(body)
  const says = refused && [refused.reason, refused.resolution_hint ?? 'invoke_as_root_principal']
  const does = success ? undefined : [failure.detail, failure.resolution.action]
  if (JSON.stringify(says) === JSON.stringify(does)) return undefined
  return `${name} with ${JSON.stringify(token.claims)}: ${refused?.reason_type} ${body}`
}

it('say the same of every pair of them, and deny what nobody could delegate', async () => {
  const { service } = await startFixture({ capabilities: CAPABILITIES, limits: LIMITS })
  const disagreeing: (string | undefined)[] = []
  let pairs = 0
  for (const token of everyToken()) {
    await service.storage.tokens.insert({ claims: token.claims, depth: 0 }, JSON.stringify(token.claims))
    const { available, restricted, denied } = permissionsOf(service, token)
    for (const entry of [...available, ...restricted, ...denied]) {
      pairs += 1
      const refused = 'reason' in entry ? entry : undefined
      disagreeing.push(await differenceOf(service, token, entry.capability, refused))
      if ((refused?.reason_type === 'non_delegable') === isDelegable(token, entry.capability))
        disagreeing.push(`${entry.capability} with ${JSON.stringify(token.claims)} is denied wrongly`)
    }
  }
  expect(pairs).toBe(240 * 72)
  expect(disagreeing.filter(Boolean).slice(0, 3)).toEqual([])
}, 300_000)

const cost = (certainty: Cost['certainty'], currency: string, rest: Cost['financial'] | object = {}): Cost => ({
  certainty,
  financial: { currency, ...rest },
})

/** Each kind of cost, below, at and above a budget of 5 EUR, and in another currency. */
const COSTS: readonly (Cost | undefined)[] = [
  undefined,
  { certainty: 'fixed' },
  ...[0, 2.01, 5, 5.01].map((amount) => cost('fixed', 'EUR', { amount })),
  cost('fixed', 'USD', { amount: 1 }),
  ...[2.01, 5, 5.01].map((upper_bound) => cost('dynamic', 'EUR', { upper_bound })),
  cost('dynamic', 'USD', { upper_bound: 1 }),
  cost('dynamic', 'EUR', { upper_bound: 9, 'x-amount-input': 'amount' }),
  cost('dynamic', 'USD', { upper_bound: 9, 'x-amount-input': 'amount' }),
  cost('estimated', 'EUR'),
  cost('estimated', 'USD'),
]

/**
 * Each cost with each control requirement; compositions of each one, and of each two that follow each other. A step
 * whose price is known only when it runs is refused then, if it is reached: no permission can tell.
 */
function pricedCapabilities(): { readonly [name: string]: Capability } {
  const atomic = COSTS.flatMap((each, one) =>
    CONTROLS.map((control_requirements, two) => {
      const isAsked = each?.financial?.['x-amount-input'] !== undefined
      const inputs = isAsked ? [input('amount', { type: 'number' })] : []
      const declared = Object.entries({ cost: each, control_requirements }).filter(([, value]) => value)
      return [`p${one}_${two}`, capability({ minimum_scope: ['a'], inputs, ...Object.fromEntries(declared) })] as const
    }),
  )
  const steps = atomic
    .filter(([, { inputs, cost: own }]) => inputs.length === 0 && own?.certainty !== 'estimated')
    .map(([name]) => name)
  const composed = steps.flatMap((name, at) =>
    [[name], steps.slice(at, at + 2)].map((each, length) => {
      const parts = each.map((step, index) => ({ id: `s${index}`, capability: step }))
      return [`of_${name}_${length}`, capability({ minimum_scope: ['a'], kind: 'composed', composition: composition(parts) })] as const // prettier-ignore
    }),
  )
  return Object.fromEntries([...atomic, ...composed])
}

const BUDGETS: readonly (readonly [Budget | undefined, spent: bigint])[] = [
  [undefined, 0n],
  [{ currency: 'EUR', max_amount: 5 }, 0n],
  [{ currency: 'JPY', max_amount: 5 }, 0n],
  [{ currency: 'EUR', max_amount: 5, mode: 'cumulative' }, 0n],
  [{ currency: 'EUR', max_amount: 5, mode: 'cumulative' }, 300n],
  [{ currency: 'EUR', max_amount: 5, mode: 'cumulative' }, 500n],
]

it('say the same of every price and budget', async () => {
  const capabilities = pricedCapabilities()
  const { service } = await startFixture({ capabilities, limits: LIMITS })
  const disagreeing: (string | undefined)[] = []
  for (const [budget, spent] of BUDGETS)
    for (const name of Object.keys(capabilities))
      for (const bound of [undefined, name]) {
        const given = { sub: 'human:ana', root_principal: 'human:ana', scope: ['a'], bound } as const
        const token = tokenAt(claimsOf({ ...given, ...(budget && { budget }) }), 0)
        const { claims } = token
        await service.storage.tokens.insert({ claims, depth: 0 }, JSON.stringify(claims))
        const ceiling = { tokenId: claims.jti, maxUnits: 500n, threshold: undefined }
        if (spent > 0n) await service.storage.ledger.reserve(`spent_${claims.jti}`, [ceiling], spent)
        disagreeing.push(await difference(service, token, name))
      }
  expect(disagreeing.length).toBe(6 * 2 * (15 * 3 + 11 * 3 * 2))
  expect(disagreeing.filter(Boolean).slice(0, 3)).toEqual([])
}, 300_000)
