/** Services that are right, each of a kind that a case of the suite may not expect, and keys that are. */
import type { ApiKey } from '../../src/runtime/index.js'
import type { Capability, GrantPolicy, Manifest } from '../../src/protocol/manifest.js'
import { capability, composition, declares, input, ONE_TIME } from '../runtime/fixture/manifest.js'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import type { Given } from '../runtime/fixture/service.js'

export interface RightService extends Pick<Given, 'capabilities' | 'handlers' | 'manifest' | 'limits' | 'implementation' | 'apiKeys'> {
  /** Members of credentials that differ. */
  /** Where it is reached, if it is not the root of a host. */
  readonly publicUrl?: string
  readonly credentials?: { readonly developer?: string; readonly approver?: string | undefined; readonly agent?: string | undefined }
} // prettier-ignore

const key = (id: string, rest: Omit<ApiKey, 'id' | 'sha256'>): ApiKey => ({ id, sha256: sha256Hex(`${id}-key`), ...rest }) // prettier-ignore

const scoped = (...scopes: readonly string[]) => ({ scopes })
const MANY = ['travel.search', 'travel.book', 'travel.close']
export const keysOf = (...more: readonly ApiKey[]): readonly ApiKey[] => [
  key('ana', { principal: 'human:ana', ...scoped(...MANY) }),
  key('bob', { principal: 'human:bob', ...scoped('approver:reset', 'approver:buy', 'approver:book', 'travel.search') }),
  key('bot', { principal: 'agent:bot', ...scoped('travel.search') }),
  ...more,
]

const text = (name: string) => ({ type: 'object', fields: [{ name, type: 'string' }] })
const SESSIONS: GrantPolicy = {
  ...ONE_TIME,
  allowed_grant_types: ['session_bound'],
  default_grant_type: 'session_bound',
  max_uses: 3,
}
const approved = (differences: Partial<Capability> = {}): Capability =>
  capability({
    side_effect: { type: 'write' },
    approval: { required: 'always', grant_policy: ONE_TIME },
    ...differences,
  })
const trust = (level: Manifest['trust']['level']) => ({ manifest: { trust: { level } } })
const search = capability({ inputs: [input('city')], output: text('found') })
const found = { search: () => ({ found: 'x' }) }
const money = (financial: NonNullable<Capability['cost']>['financial'], certainty: 'fixed' | 'estimated' | 'dynamic') =>
  capability({ side_effect: { type: 'write' }, cost: { certainty, ...(financial && { financial }) } })
/** What a handler does not know. */
const refuses = (_: object, { fail }: { readonly fail: (type: string, detail: string) => never }) =>
  fail('no_such_city', 'There is no such city.')

/** Capabilities of all kinds, in great number, each group with a scope of its own. */
const thousands = (count: number, scopes: number): { readonly [name: string]: Capability } =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const name = `do_${String(index).padStart(3, '0')}`
      const minimum_scope = [`area_${index % scopes}.use`]
      if (index % 3 === 1) return [name, capability({ minimum_scope, side_effect: { type: 'write' } })]
      if (index % 50 === 2) return [name, approved({ minimum_scope })]
      if (index % 50 === 5) return [name, capability({ minimum_scope, requires_principal: ['human'], side_effect: { type: 'write' } })]
      return [name, capability({ minimum_scope, inputs: index % 2 === 0 ? [] : [input('word')] })]
    }),
  ) // prettier-ignore

export const RIGHT_SERVICES: { readonly [kind: string]: RightService } = {
  'one approval without inputs': { capabilities: { reset: approved() } },
  'one approval without inputs, and a read': { capabilities: { search, reset: approved() }, handlers: found },
  'one approval that only streams': { capabilities: { reset: approved({ response_modes: ['streaming'] }) } },
  'one read that only streams': { capabilities: { search: { ...search, response_modes: ['streaming'] } }, handlers: found },
  'everything streams': {
    capabilities: {
      search: { ...search, response_modes: ['streaming'] },
      buy: approved({ response_modes: ['streaming'], inputs: [input('what')] }),
      pay: { ...money({ currency: 'EUR', amount: 5 }, 'fixed'), response_modes: ['streaming'], control_requirements: [{ type: 'cost_ceiling' }] },
      close: capability({ response_modes: ['streaming'], requires_principal: ['human'], minimum_scope: ['travel.close'], side_effect: { type: 'write' } }),
    },
    handlers: found,
  },
  '442 capabilities': { capabilities: thousands(442, 20), apiKeys: [key('ana', { principal: 'human:ana' }), key('bob', { principal: 'human:bob', scopes: ['approver:do_002', 'area_0.use'] }), key('bot', { principal: 'agent:bot', scopes: ['area_1.use'] })] },
  '442 capabilities with a scope each': { capabilities: thousands(442, 442), apiKeys: [key('ana', { principal: 'human:ana' }), key('bob', { principal: 'human:bob', scopes: ['approver:do_052'] }), key('bot', { principal: 'agent:bot', scopes: ['area_441.use', 'area_3.use'] })] },
  "442 capabilities, an agent's key for two of them": { capabilities: thousands(442, 442), credentials: { developer: 'bot-key', agent: undefined }, apiKeys: [key('bot', { principal: 'agent:bot', scopes: ['area_440.use', 'area_3.use'] }), key('bob', { principal: 'human:bob', scopes: ['approver:do_002'] })] },
  'an approval for sessions only': { capabilities: { search, buy: approved({ inputs: [input('what')], approval: { required: 'always', grant_policy: SESSIONS } }) }, handlers: found },
  'an approval for sessions only, without inputs': { capabilities: { reset: approved({ approval: { required: 'always', grant_policy: SESSIONS } }) } },
  'an approval by two': { capabilities: { search, buy: approved({ inputs: [input('what')], approval: { required: 'always', grant_policy: ONE_TIME, approvers: 2 } }) }, handlers: found },
  'an approval of the root principal only': { capabilities: { buy: approved({ requires_principal: ['human'], inputs: [input('what')] }) } },
  'an approval that the approver may not decide': { capabilities: { search, give: approved({ inputs: [input('what')] }), buy: approved({ inputs: [input('what')] }) }, handlers: found },
  'no approval that the approver may decide': { capabilities: { search, give: approved({ inputs: [input('what')] }) }, handlers: found },
  'an approver scope of the service': {
    capabilities: { search, buy: approved({ inputs: [input('what')] }) }, handlers: found,
    manifest: { approvals: { request_ttl: 'PT24H', denial_holds: 'PT10M', allow_agents: true, separation_of_duties: false, approver_scope: 'decide' } },
    apiKeys: keysOf(key('cyd', { principal: 'human:cyd', scopes: ['decide'] })), credentials: { approver: 'cyd-key' },
  },
  'people who approve what they ask for': {
    capabilities: { search, buy: approved({ inputs: [input('what')] }) }, handlers: found,
    manifest: { approvals: { request_ttl: 'PT24H', denial_holds: 'PT10M', allow_agents: true, separation_of_duties: false } },
    apiKeys: [key('ana', { principal: 'human:ana', scopes: [...MANY, 'approver:buy'] }), key('bot', { principal: 'agent:bot', scopes: ['approver:buy', 'travel.search'] })], credentials: { approver: 'ana-key' },
  },
  'prices without decimals': { capabilities: { search, pay: money({ currency: 'JPY', amount: 500 }, 'fixed') }, handlers: found },
  'a service below a path': { capabilities: { search, buy: approved({ inputs: [input('what')] }) }, handlers: found, publicUrl: 'http://127.0.0.1/agents' },
  'a price of nothing': { capabilities: { search, pay: money({ currency: 'EUR', amount: 0 }, 'fixed') }, handlers: found },
  'an estimate without a quote': { capabilities: { search, pay: money({ currency: 'EUR', typical: 5 }, 'estimated') }, handlers: found },
  'a bound': { capabilities: { search, pay: money({ currency: 'USD', upper_bound: 5 }, 'dynamic') }, handlers: found },
  'a quote for a bound token': {
    capabilities: {
      search: capability({ output: text('quote') }),
      book: capability({
        inputs: [input('quote')], side_effect: { type: 'irreversible' }, minimum_scope: ['travel.book'],
        cost: { certainty: 'estimated', financial: { currency: 'JPY' } }, control_requirements: [{ type: 'stronger_delegation_required' }, { type: 'cost_ceiling' }],
        requires_binding: [{ type: 'quote', field: 'quote', source_capability: 'search', max_age: 'PT15M' }],
      }),
    },
    handlers: { search: async (_: object, { bindings }: { bindings: { issue(of: object): Promise<string> } }) => ({ quote: await bindings.issue({ type: 'quote', price: { currency: 'JPY', amount: 80 } }) }) },
  },
  'no delegation': { capabilities: { search, close: capability({ requires_principal: ['human'] }) }, handlers: found, manifest: { limits: { max_delegation_depth: 0, default_ttl_hours: 2, max_ttl_hours: 24 } } },
  'one step of delegation, not to people': { capabilities: { search }, handlers: found, manifest: { limits: { max_delegation_depth: 1, default_ttl_hours: 2, max_ttl_hours: 2, delegate_to_humans: false } } },
  'short lives': { capabilities: { search }, handlers: found, manifest: { limits: { max_delegation_depth: 3, default_ttl_hours: 0.2, max_ttl_hours: 0.25 } } },
  'declarative trust': { capabilities: { search, close: capability({ side_effect: { type: 'write' } }) }, handlers: found, ...trust('declarative') },
  'signed trust': { capabilities: { search, close: capability({ side_effect: { type: 'write' } }) }, handlers: found, ...trust('signed') },
  'failures that say little': {
    capabilities: { search, buy: approved({ inputs: [input('what')] }), tell: capability({ inputs: [input('word', { resolution: { mode: 'clarify' } })] }) }, handlers: found,
    manifest: { metadata_disclosure: { caller_class: { default: 'redacted' }, failure_detail: 'policy' } },
  },
  'a read that refuses what it does not know': { capabilities: { search, tell: capability({ inputs: [input('city')], ...declares('no_such_city') }) }, handlers: { ...found, tell: refuses } }
  ,'a first read that refuses what it does not know': { capabilities: { ask: capability({ inputs: [input('a')], ...declares('no_such_city') }), search: capability({ inputs: [input('a'), input('b')], output: text('found') }) }, handlers: { ...found, ask: refuses } },
  'inputs that go on without a value': {
    capabilities: {
      search: capability({
        inputs: [
          input('city', { default: 'Rome', resolution: { mode: 'explicit_only', on_missing: 'use_default' } }),
          input('who', { resolution: { mode: 'actor_policy_or_explicit', on_missing: 'clarify' } }),
          input('stars', { type: 'integer', required: false, allowed_values: [3, 4], default: 3, resolution: { mode: 'closed_values', on_unresolved: 'use_default' } }),
        ],
        output: text('found'),
      }),
    },
    handlers: found,
    implementation: { actorPolicy: () => 'me' },
  },
  'an input of any shape': { capabilities: { search: capability({ inputs: [input('filter', { type: 'object' })], output: text('found') }) }, handlers: found },
  'words that are resolved': {
    capabilities: { search: capability({ inputs: [input('city', { catalog_ref: 'cities', resolution: { mode: 'backend_resolved', on_missing: 'clarify', on_unresolved: 'deny' } })], output: text('found') }) },
    handlers: found, implementation: { resolvers: { cities: () => ({ unresolved: true }) as const } },
  },
  'greater limits': { capabilities: { search, buy: approved() }, handlers: found, limits: { bodyBytes: 8e6, bodyBytesOfUnknown: 8e6, headerBytes: 200_000, scopesPerToken: 1000, jsonDepth: 500, claimsBytes: 64_000 } },
  'smaller limits': {
    capabilities: thousands(30, 30), apiKeys: [key('ana', { principal: 'human:ana' }), key('bob', { principal: 'human:bob', scopes: ['approver:do_002'] }), key('bot', { principal: 'agent:bot', scopes: ['area_1.use'] })],
    limits: { scopesPerToken: 7, pendingApprovalsPerRequester: 1, pendingApprovalsPerChain: 1, pendingApprovalsPerRoot: 1, auditQueriesPerMinute: 60, tokensPerMinute: 60, refusalsPerMinute: 30, invocationsPerMinute: 60, badCredentialsPerMinute: 5, approvalRequestsPerMinute: 20 },
  },
  'requests that expire soon': { capabilities: { search, buy: approved() }, handlers: found, manifest: { approvals: { request_ttl: 'PT1M', denial_holds: 'PT0S', allow_agents: false, separation_of_duties: true } } },
  'a composition that records no step': {
    capabilities: { search, trip: capability({ kind: 'composed', inputs: [input('city')], output: text('found'), composition: composition([{ id: 'find', capability: 'search' }], { input_mapping: { find: { city: '$.input.city' } }, output_mapping: { found: '$.steps.find.output.found' }, audit_policy: { record_child_invocations: false, parent_task_lineage: false } }) }) },
    handlers: found,
  },
  'a manifest for callers with a credential': { capabilities: { search, buy: approved({ inputs: [input('what')] }) }, handlers: found, manifest: { metadata_disclosure: { manifest: 'bearer' } } },
  'writes only': { capabilities: { buy: capability({ side_effect: { type: 'write' }, inputs: [input('what')] }) } },
  "an agent's key that may have one scope of three": { capabilities: { search, buy: approved({ minimum_scope: ['travel.book'], inputs: [input('what')] }), close: capability({ minimum_scope: ['travel.close'], requires_principal: ['human'] }), reset: approved() }, handlers: found, credentials: { developer: 'bot-key' } },
  "an agent's key that may have everything": { capabilities: { search, buy: approved({ inputs: [input('what')] }) }, handlers: found, credentials: { developer: 'bot-key', agent: 'bot-key' } },
  "an agent's key, and only people may call": { capabilities: { close: capability({ requires_principal: ['human'] }), buy: approved({ requires_principal: ['human'] }) }, credentials: { developer: 'bot-key' } },
  "an agent's key that may have no scope": { capabilities: { search: { ...search, minimum_scope: ['travel.other'] } }, handlers: found, credentials: { developer: 'bot-key' } },
  "a service's key": { capabilities: { search, buy: approved({ inputs: [input('what')] }), close: capability({ requires_principal: ['service'] }) }, handlers: found, apiKeys: keysOf(key('cron', { principal: 'service:cron', scopes: MANY })), credentials: { developer: 'cron-key' } },
  "an auditor's key with scopes": { capabilities: { search, buy: approved() }, handlers: found, apiKeys: keysOf(key('aud', { principal: 'human:aud', scopes: MANY, roles: ['auditor', 'operator'] })), credentials: { developer: 'aud-key' } },
  'one key for all': { capabilities: { search, buy: approved({ inputs: [input('what')] }) }, handlers: found, apiKeys: [key('ana', { principal: 'human:ana', scopes: [...MANY, 'approver:buy'] })], credentials: { approver: 'ana-key', agent: 'ana-key' } },
  'two keys of one person': { capabilities: { search, buy: approved({ inputs: [input('what')] }) }, handlers: found, apiKeys: keysOf(key('ana2', { principal: 'human:ana', scopes: ['approver:buy'] })), credentials: { approver: 'ana2-key' } },
  'one key alone': { capabilities: { search, buy: approved({ inputs: [input('what')] }) }, handlers: found, credentials: { approver: undefined, agent: undefined } },
} // prettier-ignore
