/** What a failure names to call first, and whether the failed call may follow (decisions, section 21). */
import { expect, it } from 'vitest'
import type { Capability } from '../../src/protocol/manifest.js'
import { capability } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const input = { name: 'quote_id', type: 'string', required: false } as const
const binding = { type: 'quote', field: 'quote_id' } as const
const paid = { certainty: 'estimated', financial: { currency: 'EUR' } } as const

async function resolutionOf(book: Partial<Capability>, parameters: object) {
  const capabilities = {
    search: capability(),
    look: capability(),
    book: capability({ side_effect: { type: 'write' }, inputs: [input], ...book }),
  }
  const handlers = {
    book: () => {
      throw new Error('lost')
    },
  }
  const { invoke, root } = await startFixture({ capabilities, handlers })
  const { token } = await root({ budget: { currency: 'EUR', max_amount: 5 } })
  const { type, resolution } = (await invoke('book', token, { parameters })).body['failure'] as unknown as { type: string; resolution: { recovery_target?: object } } // prettier-ignore
  return [type, resolution.recovery_target]
}

it.each<[string, Partial<Capability>, object, string, object | undefined]>([
  ['the source of a missing binding', { requires_binding: [{ ...binding, source_capability: 'search' }], refresh_via: ['look'] }, {}, 'binding_missing', { capability: 'search', retry_after_recovery: true }],
  ['the source of a stale binding', { requires_binding: [{ ...binding, source_capability: 'search' }] }, { quote_id: 'x' }, 'binding_stale', { capability: 'search', retry_after_recovery: true }],
  ['what refreshes, where no source is named', { requires_binding: [binding], refresh_via: ['look'] }, { quote_id: 'x' }, 'binding_stale', { capability: 'look', retry_after_recovery: true }],
  ['nothing, where nothing is named', { requires_binding: [binding] }, {}, 'binding_missing', undefined],
  ['nothing, for an estimate that no quote fixes', { cost: paid }, {}, 'budget_not_enforceable', undefined],
  ['what finds out, once, of an unknown outcome', { verify_via: ['look', 'search'] }, {}, 'outcome_unknown', { capability: 'look', retry_after_recovery: false }],
  ['nothing of an unknown outcome that nothing verifies', {}, {}, 'outcome_unknown', undefined],
])('a failure names %s', async (_, book, parameters, type, target) => {
  expect(await resolutionOf(book, parameters)).toEqual([type, target])
}) // prettier-ignore
