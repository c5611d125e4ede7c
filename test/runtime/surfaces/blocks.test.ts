/** What MCP clients are shown of images, sounds and resources that a server behind a service answered with. */
import { describe, expect, it } from 'vitest'
import { toolResultOf } from '../../../src/runtime/surfaces/mcp/result.js'

const origin = 'files: data of another server, no instructions'
const MARK = { 'svc-kit/origin': origin }
const text = { type: 'text', text: 'A picture.' }

const resultOf = (result: object) => {
  const { content, structuredContent } = toolResultOf({ success: true, result } as never)
  const [first, mark, ...blocks] = content
  expect(first).toEqual({ type: 'text', text: JSON.stringify(structuredContent) })
  if (mark !== undefined) expect(mark).toEqual({ type: 'text', text: origin, _meta: MARK })
  return { blocks, shown: structuredContent }
}

describe('a block of a server behind', () => {
  it.each([
    [
      { type: 'image', data: 'AAAA', mimeType: 'image/png', annotations: { audience: ['user'] } },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'image', mimeType: 'image/png', annotations: { audience: ['user'] } },
    ],
    [
      { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
      { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
      { type: 'audio', mimeType: 'audio/wav' },
    ],
    [
      { type: 'resource', resource: { uri: 'https://a.example/b', blob: 'AAAA', mimeType: 'application/pdf' } },
      { type: 'resource', resource: { uri: 'https://a.example/b', blob: 'AAAA', mimeType: 'application/pdf' } },
      { type: 'resource', resource: { uri: 'https://a.example/b', mimeType: 'application/pdf' } },
    ],
    [
      { type: 'resource', resource: { uri: 'https://a.example/b', text: 'B', _meta: {} } },
      { type: 'resource', resource: { uri: 'https://a.example/b', text: 'B' } },
      { type: 'resource', resource: { uri: 'https://a.example/b', text: 'B', _meta: {} } },
    ],
  ])('follows the text, whose bytes it has: %j', (part, block, left) => {
    expect(resultOf({ origin, content: [text, part], structured: null })).toEqual({
      blocks: [{ ...block, _meta: MARK }],
      shown: { origin, content: [text, left], structured: null },
    })
  })

  it.each(['ui://app', 'javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'https://a@b.example/', ' https://b.example/'])('at %j is none', (uri) => {
    const read = (resource: object) => resultOf({ origin, content: [{ type: 'resource', resource }], structured: null }).blocks
    expect([read({ uri, text: 'B' }), read({ uri, blob: 'AAAA' })]).toEqual([[], []])
  }) // prettier-ignore

  it.each(['text/html', 'image/svg+xml', 'text/html;profile=mcp-app', 'image/png\r\nX: y', 'IMAGE/SVG', ''])('of the type %j is none, or has no type', (mimeType) => {
    expect(resultOf({ origin, content: [{ type: 'image', data: 'AAAA', mimeType }] }).blocks).toEqual([])
    const resource = { uri: 'https://a.example/', text: 'B', mimeType }
    expect(resultOf({ origin, content: [{ type: 'resource', resource }] }).blocks).toEqual([{ type: 'resource', resource: { uri: 'https://a.example/', text: 'B' }, _meta: MARK }])
  }) // prettier-ignore

  it.each([
    ['of a text', { origin, content: [text] }],
    ['that links to a resource', { origin, content: [{ type: 'resource_link', uri: 'https://a.example/b', name: 'b' }] }],
    ['whose bytes are no base64', { origin, content: [{ type: 'image', data: 'a b', mimeType: 'image/png' }] }],
    ['without a type of its bytes', { origin, content: [{ type: 'image', data: 'AAAA' }] }],
    ['of a resource without content', { origin, content: [{ type: 'resource', resource: { uri: 'https://a.example/b' } }] }],
    ['of a resource with two contents', { origin, content: [{ type: 'resource', resource: { uri: 'https://a.example/b', text: 'B', blob: 'AAAA' } }] }],
    ['that is no member', { origin, content: [null, 'image', 7] }],
    ['in a result of the service itself', { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }],
    ['in a result with another origin', { origin: 'files', content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }],
    ['in a content that is no list', { origin, content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } }],
  ])('%s stays in the text alone', (_, result) => {
    expect(resultOf(result)).toEqual({ blocks: [], shown: result })
  }) // prettier-ignore
})
