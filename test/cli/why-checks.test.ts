/** What `svc why` says of each check, as far as it can be judged without a call. */
import { expect, it } from 'vitest'
import { judgedChecks } from '../../src/cli/permissions/why-checks.js'
import { capability } from '../runtime/fixture/manifest.js'

interface Given {
  readonly of?: object
  readonly lacks?: object
  readonly denied?: object
  readonly claims?: object
  readonly others?: object
}

const judged = ({ of = {}, lacks, denied, claims = {}, others = {} }: Given) =>
  judgedChecks({
    name: 'book',
    capability: capability(of as never) as never,
    capabilities: others as never,
    permissions: { available: [], restricted: lacks === undefined ? [] : [{ capability: 'other', reason_type: 'non_delegable', reason: 'x' }, { capability: 'book', ...lacks }], denied: denied === undefined ? [] : [{ capability: 'book', ...denied }] } as never,
    claims: { purpose: {}, constraints: {}, ...claims } as never,
  }).map(({ check, result, detail }) => `${check}: ${result}${detail === undefined ? '' : ` (${detail})`}`) // prettier-ignore

it('holds what holds, in the order of a call', () => {
  expect(judged({})).toEqual([
    'token is valid: holds',
    'principal may call: holds',
    'token has the scopes: holds',
    'token is not bound to another capability: holds',
    'token is not bound to another task: holds',
    'chain is short enough: holds',
    'control requirements are met: holds',
    'capability is not paused: unknown (An operator may have paused it.)',
    'inputs are valid: unknown (Depends on the inputs of the call.)',
    'bindings are fresh: holds',
    'budget covers the cost: holds',
    'approval is given: holds',
    'rates and concurrency allow it: unknown (Depends on other calls at the same time.)',
  ])
})

it.each([
  ['insufficient_scope', 'token has the scopes'],
  ['stronger_delegation_required', 'token is not bound to another capability'],
  ['insufficient_delegation_depth', 'chain is short enough'],
  ['unmet_control_requirement', 'control requirements are met'],
])('%s is refused by: %s; nothing after it is reached', (reason_type, check) => {
  const lines = judged({
    lacks: { reason_type, reason: 'It lacks a.', resolution_hint: 'ask ana', unmet_token_requirements: [] },
  })
  const at = lines.findIndex((line) => line.includes(': refuses'))
  expect(lines[at]).toBe(`${check}: refuses (It lacks a. Next: ask ana.)`)
  expect(lines.slice(0, at).filter((line) => line.includes('not reached'))).toEqual([])
  expect(new Set(lines.slice(at + 1).map((line) => line.split(': ')[1]))).toEqual(new Set(['not reached']))
  expect(judged({ lacks: { reason_type, reason: 'No.', unmet_token_requirements: [] } })[at]).toBe(
    `${check}: refuses (No.)`,
  )
})

it('what no token may do is refused before its scopes are compared', () => {
  expect(judged({ denied: { reason_type: 'non_delegable', reason: 'Only a person.' } }).slice(0, 3)).toEqual([
    'token is valid: holds',
    'principal may call: refuses (Only a person.)',
    'token has the scopes: not reached',
  ])
})

const cost = (certainty: string, amount?: number, currency = 'EUR') => ({ cost: { certainty, financial: { currency, ...(amount !== undefined && { amount }) } } }) // prettier-ignore
const budget = (max_amount: number, mode?: string) => ({ constraints: { budget: { currency: 'EUR', max_amount, ...(mode !== undefined && { mode }) } } }) // prettier-ignore
it.each<[string, Given, string]>([
  ['task', { claims: { purpose: { task_id: 'trip' } } }, 'token is not bound to another task: unknown (The call must be for the task trip, or name none.)'],
  ['bindings', { of: { requires_binding: [{ type: 'quote' }, { type: 'seat' }] } }, 'bindings are fresh: unknown (It needs a fresh quote, seat.)'],
  ['no budget', { of: cost('fixed', 9) }, 'budget covers the cost: holds'],
  ['no cost', { claims: budget(5) }, 'budget covers the cost: holds'],
  ['what the budget refuses', { lacks: { reason_type: 'unmet_control_requirement', reason: 'The budget is in EUR.' } }, 'budget covers the cost: refuses (The budget is in EUR.)'],
  ['a cost at it', { of: cost('fixed', 5), claims: budget(5) }, 'budget covers the cost: holds'],
  ['a budget in all', { of: cost('fixed', 5), claims: budget(5, 'cumulative') }, 'budget covers the cost: unknown (The budget is 5 EUR in all; the price is that of the call.)'],
  ['an estimate', { of: cost('estimated', 9), claims: budget(5) }, 'budget covers the cost: unknown (The budget is 5 EUR a call; the price is that of the call.)'],
  ['an approval', { of: { approval: { required: 'always' } } }, 'approval is given: asks (A person decides about each call.)'],
  ['conditions', { of: { approval: { required: 'conditions' } } }, 'approval is given: unknown (A person decides where the inputs or the cost meet its conditions.)'],
  ['a step', { of: { approval: { required: 'conditions' }, composition: { steps: [{ capability: 'look' }, { capability: 'pay' }] } }, others: { look: {}, pay: { approval: { required: 'always' } } } }, 'approval is given: asks (A person decides about each call of its step pay.)'],
])('says of %s', (_, given, line) => {
  expect(judged(given)).toContain(line)
}) // prettier-ignore
