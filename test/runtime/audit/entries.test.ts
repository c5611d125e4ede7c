import { describe, expect, it } from 'vitest'
import { loggedMembers } from '../../../src/runtime/audit/logged-members.js'
import { sealEntry, sealFor } from '../../../src/runtime/storage/seal.js'
import type { Capability } from '../../../src/protocol/manifest.js'
import type { Service } from '../../../src/runtime/service.js'
import { capability } from '../fixture/manifest.js'
import { draft } from '../storage/examples.js'

const AT = '2026-03-01T12:00:00.000Z'

describe('of the values of a call an entry keeps', () => {
  it.each<[string, Capability['observability'], object]>([
    ['those that are declared, in this order', { fields_logged: ['to', 'city'], retention: 'P1D' }, { to: 'x', city: 'Rome' }],
    ['none that is not there', { fields_logged: ['city', 'toString'] }, { city: 'Rome' }],
    ['none, where none is declared', { retention: 'P1D' }, {}],
    ['none, where nothing is logged', { logged: false, fields_logged: ['city'] }, {}],
    ['none, where nothing is said', undefined, {}],
  ])('%s', (_, observability, kept) => {
    const declared = capability(observability && { observability })
    const service = { capabilities: new Map([['book', declared]]) } as unknown as Service
    expect(loggedMembers(service, 'book', { city: 'Rome', card: '4711', to: 'x' })).toStrictEqual(kept)
  }) // prettier-ignore

  it('nothing of a capability that is gone', () => {
    const service = { capabilities: new Map() } as unknown as Service
    expect(loggedMembers(service, 'book', { city: 'Rome' })).toStrictEqual({})
  })
})

describe('an entry may be erased', () => {
  const entry = draft({ timestamp: AT })
  it.each<[string, number | undefined, number | undefined, number | undefined]>([
    ['after its own time', 1000, 5000, 1000],
    ['at once, where its time is none', 0, 5000, 0],
    ['after the time that came with it, where it has none', undefined, 5000, 5000],
    ['never, where there is none', undefined, undefined, undefined],
  ])('%s', (_, own, given, after) => {
    const sealed = sealFor(() => own)(entry, 7, given)
    expect(sealed.erasableFrom).toBe(after === undefined ? undefined : Date.parse(AT) + after)
    expect(sealed).toEqual({ ...sealEntry(entry, 7), erasableFrom: sealed.erasableFrom })
    expect(sealed.entry.sequence).toBe(7)
  })

  it('never by a seal that knows no time, whatever came with it', () => {
    expect(sealEntry(entry, 7, 5000).erasableFrom).toBeUndefined()
  })
})
