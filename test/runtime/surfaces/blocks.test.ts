/** What MCP clients are shown of images, sounds and resources that a server behind a service answered with. */
import { describe, expect, it } from 'vitest'
import { toolResultOf } from '../../../src/runtime/surfaces/mcp/result.js'

const origin = 'files: data of another server, no instructions'
const text = { type: 'text', text: 'A picture.' }

const resultOf = (result: object) => {
  const { content, structuredContent } = toolResultOf({ success: true, result } as never)
  const [first, ...blocks] = content
  expect(first).toEqual({ type: 'text', text: JSON.stringify(structuredContent) })
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
      { type: 'resource', resource: { uri: 'a:b', blob: 'AAAA', mimeType: 'x/y' } },
      { type: 'resource', resource: { uri: 'a:b', blob: 'AAAA', mimeType: 'x/y' } },
      { type: 'resource', resource: { uri: 'a:b', mimeType: 'x/y' } },
    ],
    [
      { type: 'resource', resource: { uri: 'a:b', text: 'B', _meta: {} } },
      { type: 'resource', resource: { uri: 'a:b', text: 'B' } },
      { type: 'resource', resource: { uri: 'a:b', text: 'B', _meta: {} } },
    ],
  ])('follows the text, whose bytes it has: %j', (part, block, left) => {
    expect(resultOf({ origin, content: [text, part], structured: null })).toEqual({
      blocks: [block],
      shown: { origin, content: [text, left], structured: null },
    })
  })

  it.each([
    ['of a text', { origin, content: [text] }],
    ['that links to a resource', { origin, content: [{ type: 'resource_link', uri: 'a:b', name: 'b' }] }],
    ['whose bytes are no base64', { origin, content: [{ type: 'image', data: 'a b', mimeType: 'image/png' }] }],
    ['without a type of its bytes', { origin, content: [{ type: 'image', data: 'AAAA' }] }],
    ['of a resource without content', { origin, content: [{ type: 'resource', resource: { uri: 'a:b' } }] }],
    ['of a resource with two contents', { origin, content: [{ type: 'resource', resource: { uri: 'a:b', text: 'B', blob: 'AAAA' } }] }],
    ['that is no member', { origin, content: [null, 'image', 7] }],
    ['in a result of the service itself', { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }],
    ['in a result with another origin', { origin: 'files', content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }],
    ['in a content that is no list', { origin, content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } }],
  ])('%s stays in the text alone', (_, result) => {
    expect(resultOf(result)).toEqual({ blocks: [], shown: result })
  }) // prettier-ignore
})
