/** What is read from callers and authors. */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { canonicalText } from '../../src/crypto/json/canonical.js'
import { parseStrictJson } from '../../src/crypto/json/strict-json.js'
import { durationMs } from '../../src/protocol/durations.js'
import { bearerOf, claimsToBeDelegation } from '../../src/runtime/credentials/bearer.js'
import { tokenRequestOf } from '../../src/runtime/auth/token-request.js'
import { invokeRequestOf } from '../../src/runtime/call/request.js'
import { DEFAULT_LIMITS } from '../../src/runtime/limits.js'
import { Refusal } from '../../src/runtime/errors/refusal.js'
import { startFixture } from '../runtime/fixture/service.js'
import type { Target } from './fuzzing.js'

/** What a reader says: a refusal is an answer, everything else that is thrown is a fault. */
function said(read: () => object | string): string {
  try {
    const value = read()
    return typeof value === 'string' ? 'text' : Object.keys(value).join()
  } catch (error) {
    if (error instanceof Refusal) return `${error.failure.type} ${error.failure.detail.replaceAll(/"[^"]*"/gu, '')}`
    throw error
  }
}

const body = (): Target => ({
  seeds: [
    '{"parameters":{"a":[1,-0.5e3,"\\u00e9\\n",null,true,{}]},"task_id":"t","stream":false,"approval_grant":"g"}',
    '{"scope":["travel.search"],"budget":{"currency":"EUR","max_amount":12.5,"mode":"cumulative"},"ttl_hours":1,"purpose_parameters":{"task_id":"t"}}',
    readFileSync('package.json'),
  ],
  words: [
    '"parameters":',
    '"scope":',
    '"budget":',
    '"ttl_hours":',
    '"max_amount":',
    '"parent_token":',
    '"inv-0123456789ab"',
  ],
  parse: (input) => {
    const json = parseStrictJson(input)
    if (!json.ok) return json.reason.replaceAll(/"(?:[^"\\]|\\.)*"|\d+/gu, '')
    const text = canonicalText(json.value)
    // Not by `expect`, whose memory grows by gigabytes in millions of questions.
    if (!isDeepStrictEqual(json.value, JSON.parse(input.toString()))) throw new Error('It is read as something else.')
    if (canonicalText(JSON.parse(text)) !== text) throw new Error('Its canonical form has another canonical form.')
    return `${said(() => invokeRequestOf(json.value))} ${said(() => tokenRequestOf(json.value, DEFAULT_LIMITS))}`
  },
})

const bearer = (): Target => ({
  seeds: ['Bearer abc', 'Bearer eyJ0eXAiOiJkZWxlZ2F0aW9uK2p3dCJ9.e30.AA'],
  parse: (input) => `${said(() => bearerOf(input.toString()))} ${claimsToBeDelegation(input.toString())}`,
})

/** Through the front door: never more than a refusal, whatever the query. */
async function query(): Promise<Target> {
  const { root, fetch, logged } = await startFixture()
  const { token } = await root()
  return {
    seeds: [
      'capability=search&limit=10&since=2026-01-01T00:00:00Z&success=true&cursor=5',
      'event_class=low_risk_success&invocation_id=inv-0123456789ab&until=2026-01-01T00:00:00%2B02:00',
    ],
    words: ['&limit=', '&since=', '&until=', '&cursor=', '&success=', '&capability=', '&task_id=', '%27%20OR%201=1--'],
    parse: async (input) => {
      const url = `http://a/svc/audit?${input.toString('latin1')}`
      if (!URL.canParse(url)) return 'no URL'
      const reply = await fetch(new Request(url, { method: 'POST', headers: { authorization: `Bearer ${token}` } }))
      const text = await reply.text()
      logged.length = 0
      expect([200, 400], text).toContain(reply.status)
      return `${reply.status} ${text.length} ${/"detail":"([^\\"]{0,60})/u.exec(text)?.[1]}`
    },
  }
}

const yaml = (): Target => ({
  seeds: ['travel', 'minimal'].map((name) => readFileSync(`examples/${name}/svc.yaml`)),
  words: [
    '- ',
    ': ',
    '&a ',
    '*a',
    '!!str ',
    '? ',
    '<<: ',
    '---\n',
    '...\n',
    '%YAML 1.1\n',
    '|\n',
    '>-\n',
    '.nan',
    'yes',
    '0o17',
    '$.steps.',
  ],
  parse: (input) => {
    const { diagnostics } = check([{ file: 'svc.yaml', text: input.toString() }], { now: 0, preset: 'strict' })
    return [...new Set(diagnostics.map(({ code }) => code))].slice(0, 2).join()
  },
})

const duration = (): Target => ({
  seeds: ['P1Y2M3DT4H5M6.789S', 'P12W', 'hourly'],
  parse: (input) => {
    const ms = durationMs(input.toString())
    expect(ms === undefined || (Number.isSafeInteger(ms) && ms >= 0)).toBe(true)
    return `${ms === undefined}`
  },
})

/** By parser. */
export const plainTargets = { body, bearer, query, yaml, duration } as const
