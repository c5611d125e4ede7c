import { describe, expect, it } from 'vitest'
import { callerMayOmit, callerMaySend, handlerAlwaysHas } from '../../src/protocol/presence.js'
import type { Input } from '../../src/protocol/manifest.js'

const input = (members: Partial<Input>): Input => ({ name: 'city', type: 'string', required: true, ...members })

describe('who has an input', () => {
  it.each<[string, Partial<Input>, { send: boolean; omit: boolean; has: boolean }]>([
    ['required', {}, { send: true, omit: false, has: true }],
    ['optional', { required: false }, { send: true, omit: true, has: false }],
    ['optional with a default', { required: false, default: 'x' }, { send: true, omit: true, has: true }],
    ['required with a default', { default: 'x' }, { send: true, omit: true, has: true }],
    ['set by policy', { resolution: { mode: 'actor_policy' } }, { send: false, omit: false, has: true }],
    ['policy or explicit', { resolution: { mode: 'actor_policy_or_explicit' } }, { send: true, omit: true, has: true }],
    [
      'explicit only, in spite of a default',
      { required: false, default: 'x', resolution: { mode: 'explicit_only' } },
      { send: true, omit: true, has: false },
    ],
    [
      'defaulted when missing',
      { required: false, default: 'x', resolution: { mode: 'closed_values', on_missing: 'use_default' } },
      { send: true, omit: true, has: true },
    ],
    [
      'omitted when missing',
      { required: false, default: 'x', resolution: { mode: 'closed_values', on_missing: 'omit' } },
      { send: true, omit: true, has: false },
    ],
    [
      'asked for when missing',
      { required: false, resolution: { mode: 'closed_values', on_missing: 'clarify' } },
      { send: true, omit: true, has: true },
    ],
    [
      'required, asked for by an app',
      { resolution: { mode: 'app_selected', on_missing: 'app_select_or_clarify' } },
      { send: true, omit: true, has: true },
    ],
    [
      'optional, selected by an app',
      { required: false, resolution: { mode: 'app_selected' } },
      { send: true, omit: true, has: false },
    ],
    [
      'asked for by its mode, default or not',
      { required: false, default: 'x', resolution: { mode: 'clarify' } },
      { send: true, omit: true, has: true },
    ],
    [
      'refused when missing',
      { required: false, resolution: { mode: 'clarify', on_missing: 'deny' } },
      { send: true, omit: false, has: true },
    ],
  ])('%s', (_, members, { send, omit, has }) => {
    const declared = input(members)
    expect(callerMaySend(declared)).toBe(send)
    if (send) expect(callerMayOmit(declared)).toBe(omit)
    expect(handlerAlwaysHas(declared)).toBe(has)
  })
})
