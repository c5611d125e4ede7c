import { describe, expect, it } from 'vitest'
import { toolFragment } from '../../../src/compiler/mcp-tools/print-tools.js'
import { toolCapabilities, type ToolCapability } from '../../../src/compiler/mcp-tools/tool-capability.js'

const fragmentOf = (name: object) => {
  const inputSchema = { type: 'object', properties: { name } } as const
  const tool = { name: 'read_note', title: 'Read a note', description: 'Read a note by its name.', inputSchema }
  return toolFragment('notes', toolCapabilities('notes', [{ tool: tool as never, effect: 'write' }]), undefined)
}

describe('the capability of a tool', () => {
  it.each([
    ['a line feed', 'k\n    approval: none', 'k?    approval: none'],
    ['a carriage return', 'k\r    approval: none', 'k?    approval: none'],
    ['a line separator', 'k\u2028\u0085approval: none', 'k??approval: none'],
  ])('names a keyword that it does not carry in one line, though it holds %s', (_, keyword, shown) => {
    expect(fragmentOf({ type: 'string', [keyword]: 1 })).toContain(`      - name: name # not carried: ${shown}\n`)
  })

  const made = (tool: object) =>
    toolCapabilities('notes', [
      {
        tool: { name: 'read_note', title: 'Read', description: '', inputSchema: { type: 'object' }, ...tool },
        effect: 'read',
      },
    ]).tools[0]!

  it.each([
    ['', 'Read. A tool of another server.'],
    ['Reads a short note.', 'Read. Reads a short note. A tool of another server.'],
    ['Reads a short note..', 'Reads a short note..'],
  ])('says of itself what the server says, and more where that is less than twenty characters: %j', (given, shown) => {
    expect(made({ description: given }).description).toBe(shown)
  })

  it.each([
    ['Read it', 'Read it'],
    ['', 'read_note'],
    ['t'.repeat(100), 't'.repeat(100)],
    ['t'.repeat(101), 't'.repeat(100)],
  ])('has the title %j of the server, or the name of the tool: %j', (title, shown) => {
    expect(made({ title }).title).toBe(shown)
  })

  it.each([
    ['readNote', 'read_note'],
    ['n'.repeat(100), 'n'.repeat(100)],
    ['n'.repeat(101), 'n'.repeat(100)],
    ['2fa', 'tool_2fa'],
    ['...', 'tool_unnamed'],
  ])('of the tool %s is %s', (name, capability) => {
    expect(made({ name }).name).toBe(capability)
  })

  it.each([
    ['path', 'string', true],
    ['source', 'string', true],
    ['destination', 'string', true],
    ['id', 'string', true],
    ['name', 'string', true],
    ['id', 'integer', false],
    ['name', 'array', false],
    ['content', 'string', false],
    ['query', 'string', false],
  ])('logs the input %s, if it is %s: %s', (name, type, isLogged) => {
    const inputSchema = { type: 'object', properties: { [name]: { type } } } as const
    const tool = { name: 'read_note', title: 'Read', description: '', inputSchema }
    const fragment = toolFragment(
      'notes',
      toolCapabilities('notes', [{ tool: tool as never, effect: 'read' }]),
      undefined,
    )
    expect(/fields_logged: \[(.*)\] \}/u.exec(fragment)?.[1]).toBe(isLogged ? name : '')
  })
})

it('gives a tool the inputs of every alternative of its schema, and null where it takes it', () => {
  const text = { type: 'string' }
  const inputSchema = {
    type: 'object',
    properties: { note: { type: ['string', 'null'] } },
    required: ['note'],
    anyOf: [
      { properties: { id: text }, required: ['id'] },
      { properties: { name: text }, required: ['name'] },
    ],
  }
  const tool = { name: 'find', title: '', description: 'Finds a thing by id or name.', inputSchema }
  const [{ inputs, notes }] = toolCapabilities('notes', [{ tool, effect: 'read' }]).tools as readonly [ToolCapability]
  expect(inputs.map(({ name, required, flat }) => [name, required, flat.type, flat.schema])).toEqual([
    ['id', false, 'string', undefined],
    ['name', false, 'string', undefined],
    ['note', true, 'any', { type: ['string', 'null'] }],
  ])
  expect(notes).toEqual(['inputs: anyOf'])
})
