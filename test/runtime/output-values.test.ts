import { expect, it } from 'vitest'
import type { SideEffectType } from '../../src/protocol/words.js'
import { capability } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const callOf = async (type: SideEffectType, returned: object) => {
  const output = { type: 'account', fields: [{ name: 'id', type: 'string' }, { name: 'owner', type: 'string', nullable: true as const }] } // prettier-ignore
  const { root, invoke } = await startFixture({
    capabilities: { lookup: capability({ side_effect: { type }, output }) },
    handlers: { lookup: () => returned },
  })
  const { body } = await invoke('lookup', (await root()).token)
  return body['success'] ? body['result'] : body['failure']?.['type']
}

it.each<[SideEffectType, object, unknown]>([
  ['read', { id: 'a', owner: 'ana' }, { id: 'a', owner: 'ana' }],
  ['read', { id: 'a', owner: null }, { id: 'a', owner: null }],
  ['read', { id: 'a' }, 'internal_error'],
  ['read', { id: null, owner: null }, 'internal_error'],
  ['read', { id: 'a', owner: 7 }, 'internal_error'],
  ['write', { id: 'a', owner: null }, { id: 'a', owner: null }],
  ['write', { id: null, owner: 'ana' }, 'outcome_unknown'],
  ['irreversible', { owner: 'ana' }, 'outcome_unknown'],
])('a %s that gives %j ends as %j', async (type, returned, ended) => {
  expect(await callOf(type, returned)).toEqual(ended)
})
