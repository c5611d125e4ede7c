/** What an MCP client can show its user, by what it declares; nothing is assumed. */
import { expect, it } from 'vitest'
import { abilitiesOf } from '../../../src/runtime/surfaces/mcp/abilities.js'
import type { McpConnection } from '../../../src/runtime/surfaces/mcp/connection.js'

type Context = Parameters<typeof abilitiesOf>[1]

const modern = (declared: unknown, atFirst?: object) =>
  abilitiesOf(
    { era: 'modern', declaredAtFirst: () => atFirst } as McpConnection,
    {
      mcpReq: { envelope: { 'io.modelcontextprotocol/clientCapabilities': declared } },
      http: {},
    } as unknown as Context,
  )

const legacy = (atFirst: object | undefined) =>
  abilitiesOf({ era: 'legacy', declaredAtFirst: () => atFirst } as McpConnection, { mcpReq: {} } as Context)

const BOTH = { elicitation: { url: {}, form: {} } }

it.each([
  ['both', BOTH, { url: true, form: true }],
  ['a page', { elicitation: { url: {} } }, { url: true, form: false }],
  ['a form', { elicitation: { form: {} } }, { url: false, form: true }],
  ['a form, where it says no more', { elicitation: {} }, { url: false, form: true }],
  ['neither, where it names something else', { elicitation: { voice: {} } }, { url: false, form: false }],
  ['neither, where it can ask nobody', { sampling: {} }, { url: false, form: false }],
  ['neither, where it declares nothing', undefined, { url: false, form: false }],
])('a request declares %s', (_, declared, expected) => {
  expect(modern(declared)).toMatchObject(expected)
})

it('a request counts in the modern era, whatever was declared before', () => {
  expect(modern({}, BOTH)).toMatchObject({ url: false, form: false })
})

it('the handshake counts in the legacy era, by stdio or a session, and without one nothing does', () => {
  expect(legacy(BOTH)).toMatchObject({ url: true, form: true })
  expect(legacy(undefined)).toMatchObject({ url: false, form: false })
})
