import { expect, it } from 'vitest'
import type { HandlerContext, Implementation } from '../../src/runtime/index.js'
import { capability, input } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

type Quote = (input: object, context: HandlerContext) => Promise<string>

/** A service that quotes, in the way of the test, what booking takes. */
async function quoting(quote: Quote, max_age?: string, resolveBinding?: Implementation['resolveBinding']) {
  const age = max_age === undefined ? {} : { max_age }
  const fixture = await startFixture({
    capabilities: {
      quote: capability({
        output: { type: 'quote', fields: [{ name: 'quote_id', type: 'string' }, { name: 'valid_until', type: 'string' }] },
      }),
      book: capability({
        inputs: [input('quote_id')],
        cost: { certainty: 'estimated', financial: { currency: 'EUR', range_max: 900 } },
        requires_binding: [{ type: 'quote', field: 'quote_id', source_capability: 'quote', ...age }],
      }),
    },
    handlers: {
      quote: async (given: object, context: HandlerContext) => {
        const quote_id = await quote(given, context)
        return { quote_id, valid_until: max_age === undefined ? '' : context.bindings.validUntil(quote_id) }
      },
      book: () => ({}),
    },
    ...(resolveBinding && { implementation: { resolveBinding } }),
  }) // prettier-ignore
  const { token } = await fixture.root({ subject: 'agent:planner' })
  return { fixture, quote: () => fixture.invoke('quote', token) }
}

const issued: Quote = (_, { bindings }) => bindings.issue({ type: 'quote', price: { currency: 'EUR', amount: 5 } })

const warnings = ({ logged }: { readonly logged: readonly string[] }) =>
  logged.filter((line) => line.startsWith('quote ')).map((line) => line.replace(/ \{.*/u, ''))

it('a handler can tell until when its quote is taken, by the clock of the service', async () => {
  const { fixture, quote } = await quoting(issued, 'PT15M')
  const { body } = await quote()
  expect(body['result']).toMatchObject({ valid_until: '2026-03-01T12:15:00.000Z' })
  expect(warnings(fixture)).toEqual([])
})

it('the log names an id that was returned where a quote was to be issued', async () => {
  const { fixture, quote } = await quoting(async () => 'made-up-1')
  expect((await quote()).status).toBe(200)
  expect(warnings(fixture)).toEqual([
    'quote returned a quote_id that it did not issue, so book will refuse it (binding_stale). Issue it: bindings.issue in the context of the handler gives an id.',
  ])
  expect(fixture.logged.join('\n')).not.toContain('made-up-1')
})

it('a quote of an earlier call may be returned again', async () => {
  let first: string | undefined
  const { fixture, quote } = await quoting(async (given, context) => (first ??= await issued(given, context)))
  await quote()
  await quote()
  expect(warnings(fixture)).toEqual([])
})

it('nothing is said of ids where a hook knows those of elsewhere', async () => {
  const { fixture, quote } = await quoting(
    async () => 'made-elsewhere',
    undefined,
    () => undefined,
  )
  await quote()
  expect(warnings(fixture)).toEqual([])
})

it('a quote that nobody bounds has no end', async () => {
  const { fixture, quote } = await quoting(async (given, context) =>
    context.bindings.validUntil(await issued(given, context)),
  )
  expect((await quote()).status).toBe(500)
  expect(fixture.logged.join('\n')).toContain(
    'A quote binding has no end: no capability that requires it has a max_age.',
  )
})

it('the log names a quote without the price that a cost is estimated from', async () => {
  const { fixture, quote } = await quoting((_, { bindings }) => bindings.issue({ type: 'quote' }))
  expect((await quote()).status).toBe(200)
  expect(warnings(fixture)).toEqual([
    'quote issued a quote binding without a price, which fixes what book costs: no budget covers that call (budget_not_enforceable).',
  ])
})

it('the handler of a booking reads what was quoted, and nothing of whose quote it is', async () => {
  const read: unknown[] = []
  const price = { currency: 'EUR', amount: 5 }
  const { fixture } = await quoting(issued, 'PT15M')
  const { handlers } = fixture.service.implementation as unknown as { readonly handlers: { book: unknown } }
  handlers.book = (_: object, { bound }: HandlerContext) => (read.push(bound), {})
  const { token } = await fixture.root({ subject: 'agent:planner', budget: { currency: 'EUR', max_amount: 9 } })
  const { quote_id } = (await fixture.invoke('quote', token)).body['result']!
  expect((await fixture.invoke('book', token, { parameters: { quote_id } })).status).toBe(200)
  expect(read).toEqual([{ quote_id: { binding_id: quote_id, type: 'quote', price } }])
})

it.each<[string, readonly (string | undefined)[], number | undefined, string]>([
  ['the one that takes it longest', ['PT5M', 'PT15M'], 15 * 60_000, '2026-03-01T12:05:00.000Z'],
  ['no end, where one takes it at any age', ['PT5M', undefined], undefined, '2026-03-01T12:05:00.000Z'],
])('a quote is kept for %s, and told to be valid where all take it', async (_, ages, kept, validUntil) => {
  const consumer = (max_age: string | undefined) =>
    capability({
      inputs: [input('quote_id')],
      cost: { certainty: 'estimated', financial: { currency: 'EUR', range_max: 900 } },
      requires_binding: [
        { type: 'quote', field: 'quote_id', source_capability: 'quote', ...(max_age !== undefined && { max_age }) },
      ],
    })
  const foreign = capability({
    inputs: [input('quote_id')],
    requires_binding: [{ type: 'quote', field: 'quote_id', source_capability: 'other', max_age: 'PT1M' }],
  })
  const said: string[] = []
  const { root, invoke, storage, time } = await startFixture({
    capabilities: {
      quote: capability({ output: { type: 'quote', fields: [{ name: 'quote_id', type: 'string' }] } }),
      other: capability(),
      one: consumer(ages[0]),
      two: consumer(ages[1]),
      foreign,
    },
    handlers: {
      quote: async (_: object, context: HandlerContext) => {
        const quote_id = await issued({}, context)
        said.push(context.bindings.validUntil(quote_id))
        return { quote_id }
      },
    },
  })
  const { quote_id } = (await invoke('quote', (await root()).token)).body['result']!
  const { expires_at } = (await storage.bindings.get(String(quote_id)))!
  expect([expires_at, said]).toEqual([kept === undefined ? undefined : time.now + kept, [validUntil]])
})
