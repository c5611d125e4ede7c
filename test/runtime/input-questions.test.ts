/** What a caller is asked, and told, about inputs that it did not give as they are to be (section 2.6). */
import { expect, it } from 'vitest'
import type { Input, Resolution } from '../../src/protocol/manifest.js'
import { capability, input } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const resolvers = {
  places: ({ value }: { readonly value: unknown }) =>
    value === 'San' ? { ambiguous: ['San Jose', 'San Diego'] } : { unresolved: true as const },
}
const found = (more: Partial<Resolution> = {}): Partial<Input> => ({
  resolution: { mode: 'backend_resolved', resolver_ref: 'places', ...more },
})

async function failureOf(inputs: readonly Input[], parameters: object) {
  const { root, invoke } = await startFixture({
    capabilities: { search: capability({ inputs, side_effect: { type: 'write' } }) },
    implementation: { resolvers },
  })
  return (await invoke('search', (await root()).token, { parameters })).body['failure']
}

it('a question says all that the manifest says of the input', async () => {
  const about = {
    description: 'Where to.',
    allowed_values: ['Oslo', 'Rome'],
    catalog_ref: 'cities',
    input_meanings: [{ value: 'Oslo', label: 'The capital of Norway.' }],
  }
  const city = input('city', { ...about, resolution: { mode: 'clarify' } })
  const stars = input('stars', { type: 'integer', resolution: { mode: 'clarify' } })
  expect(await failureOf([city, stars], {})).toMatchObject({
    type: 'clarification_required',
    detail: 'These inputs need clarification: city, stars.',
    resolution: { requires: 'city, stars' },
    clarification: { inputs: [{ name: 'city', reason: 'missing', ...about }, { name: 'stars', reason: 'missing' }] },
  })
}) // prettier-ignore

it.each([
  [{}, { on_missing: 'deny' }, 'city is required'],
  [{ city: 'San' }, { on_ambiguous: 'deny' }, 'city matches several values'],
  [{ city: 'Atlantis' }, { on_unresolved: 'deny' }, 'city could not be resolved'],
  [{ city: 'Atlantis' }, {}, 'city could not be resolved'],
  [{ city: 'San' }, { on_ambiguous: 'deny_or_clarify' }, 'city matches several values'],
] as const)('%j under %j: %s', async (given, more, problem) => {
  expect(await failureOf([input('city', found(more))], given)).toMatchObject({
    type: 'invalid_parameters',
    detail: `Not valid: ${problem}.`,
    resolution: { requires: 'city' },
  })
})

it('every problem is told at once, and before anything is asked', async () => {
  const asked = input('when', { resolution: { mode: 'clarify' } })
  const inputs = [asked, input('city'), input('stars', { type: 'integer' }), input('hotel', found())]
  expect(await failureOf(inputs, { stars: 'five', hotel: 'Atlantis' })).toMatchObject({
    type: 'invalid_parameters',
    detail:
      'Not valid: city is required; stars must be a whole number within ±(2^53 - 1); hotel could not be resolved.',
    resolution: { requires: 'city, stars, hotel' },
  })
})

it.each([
  [['x'], '"x"'],
  [['a', 'b', 'c', 'd', 'e', 'f'], '"a", "b", "c", "d", "e"'],
  [['x'.repeat(41)], `"${'x'.repeat(40)}"`],
])('of the unknown parameters %j, these are named: %s', async (names, shown) => {
  const given = Object.fromEntries(names.map((name) => [name, 1]))
  expect(await failureOf([], given)).toMatchObject({ detail: `The capability has no parameter ${shown}.` })
})
