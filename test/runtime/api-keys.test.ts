/** Keys that are read again while a service runs (decisions, section 13). */
import { expect, it } from 'vitest'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import { apiKeyHolder, type ApiKey, type ApiKeys } from '../../src/runtime/credentials/api-keys.js'

const LOG = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const key = (id: string, more: Partial<ApiKey> = {}): ApiKey => ({
  id,
  principal: `human:${id}`,
  sha256: sha256Hex(`${id}-key`),
  ...more,
})

/** Keys as a file gives them; it is read again as it then is. */
function holderOf(...first: readonly ApiKey[]) {
  const file: { keys: readonly ApiKey[] | Error } = { keys: first }
  const reload = async (): Promise<ApiKeys> => {
    if (file.keys instanceof Error) throw file.keys
    return file.keys
  }
  const time = { now: NOW }
  return {
    file,
    time,
    holder: apiKeyHolder(Object.assign([...first], { reload }), () => time.now, { isDevelopment: false, log: LOG }),
  }
}

it('an id leads to the owner of a key that may be used', () => {
  const { holder } = holderOf(key('ana', { scopes: ['travel.search'] }), key('gone', { revoked: true }))
  expect(holder.named('ana')).toEqual({ principal: 'human:ana', credential: { api_key: 'ana' }, scopes: ['travel.search'] }) // prettier-ignore
  expect([holder.named('gone'), holder.named('eve')]).toEqual([undefined, undefined])
})

it('an id that two keys have leads to nobody: it would be a matter of order who is meant', () => {
  const { holder } = holderOf(key('desk'), key('desk', { principal: 'human:eve', sha256: sha256Hex('other-key') }))
  expect(holder.named('desk')).toBeUndefined()
})

it('a key signs in, and is named, until the very moment in which it expires', () => {
  const { holder, time } = holderOf(key('ana', { expires_at: '2026-03-01T12:00:01Z' }))
  time.now = NOW + 999
  expect([holder.known('ana-key', ''), holder.named('ana')].map((known) => known?.principal)).toEqual(['human:ana', 'human:ana']) // prettier-ignore
  time.now = NOW + 1000
  expect([holder.known('ana-key', ''), holder.named('ana')]).toEqual([undefined, undefined])
})

it('an id leads nowhere once its key was revoked in the file', async () => {
  const { holder, file } = holderOf(key('ana'))
  file.keys = [key('ana', { revoked: true })]
  await holder.reload()
  expect([holder.known('ana-key', ''), holder.named('ana')]).toEqual([undefined, undefined])
})

it('a key that the file gained is known, by itself and by its id', async () => {
  const { holder, file } = holderOf(key('ana'))
  file.keys = [key('ana'), key('eve')]
  await holder.reload()
  expect([holder.known('eve-key', '')?.principal, holder.named('eve')?.principal]).toEqual(['human:eve', 'human:eve'])
})

it('a file that cannot be read leaves the keys at hand, and none has ended', async () => {
  const { holder, file } = holderOf(key('ana'))
  file.keys = new Error('not JSON')
  await expect(holder.reload()).rejects.toThrow('not JSON')
  expect([holder.known('ana-key', '')?.principal, holder.named('ana')?.principal, holder.ended(NOW)]).toEqual(['human:ana', 'human:ana', []]) // prettier-ignore
})

it('a file with a key that is none leaves the keys at hand, whole', async () => {
  const { holder, file } = holderOf(key('ana'))
  file.keys = [key('ana', { revoked: true }), key('eve', { sha256: 'short' })]
  await expect(holder.reload()).rejects.toThrow('API key eve: sha256 must be 64 lower-case hex digits.')
  expect([holder.known('ana-key', '')?.principal, holder.named('ana')?.principal, [...holder.ids()]]).toEqual(['human:ana', 'human:ana', ['ana']]) // prettier-ignore
})

it('a key has ended that came with one reading and went with the next', async () => {
  const { holder, file } = holderOf(key('ana'))
  file.keys = [key('ana'), key('eve')]
  await holder.reload()
  file.keys = [key('ana')]
  await holder.reload()
  expect([holder.ended(NOW), [...holder.ids()]]).toEqual([[{ id: 'eve' }], ['ana']])
})

it('a key that is back has not ended', async () => {
  const { holder, file } = holderOf(key('ana'))
  file.keys = []
  await holder.reload()
  expect(holder.ended(NOW)).toEqual([{ id: 'ana' }])
  file.keys = [key('ana')]
  await holder.reload()
  expect(holder.ended(NOW)).toEqual([])
})

it('keys end by the time that is given, a revoked one at any time; all of them are still in the file', () => {
  const { holder } = holderOf(key('ana', { expires_at: '2026-03-01T13:00:00Z' }), key('gone', { revoked: true }))
  const one = Date.parse('2026-03-01T13:00:00Z')
  expect([holder.ended(one - 1), holder.ended(one)]).toEqual([[{ id: 'gone' }], [{ id: 'ana' }, { id: 'gone' }]])
  expect([...holder.ids()]).toEqual(['ana', 'gone'])
})

it('one of two keys with an id may be used, so the id has not ended', () => {
  const { holder } = holderOf(key('desk', { revoked: true }), key('desk', { sha256: sha256Hex('new-key') }))
  expect(holder.ended(NOW)).toEqual([])
})

it('a key that another one replaced under its id has ended, and the id has not', async () => {
  const { holder, file } = holderOf(key('ana'))
  file.keys = [key('ana', { sha256: sha256Hex('new-key') })]
  await holder.reload()
  expect([holder.known('ana-key', ''), holder.known('new-key', '')?.principal]).toEqual([undefined, 'human:ana'])
  expect(holder.ended(NOW)).toEqual([{ id: 'ana', replaced: sha256Hex('ana-key') }])
  file.keys = [key('ana', { sha256: sha256Hex('newest-key') })]
  await holder.reload()
  expect(holder.ended(NOW).map(({ replaced }) => replaced)).toEqual([sha256Hex('ana-key'), sha256Hex('new-key')])
})
