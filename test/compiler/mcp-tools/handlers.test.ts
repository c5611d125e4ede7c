import { describe, expect, it } from 'vitest'
import { toolSources } from '../../../src/compiler/mcp-tools/print-tools.js'
import { toolCapabilities } from '../../../src/compiler/mcp-tools/tool-capability.js'

const tool = {
  name: 'read_note',
  title: 'Read a note',
  description: 'Read a note by its name, and return its text.',
  inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
} as const

const handlerOf = (effect: 'read' | 'write' | undefined) => {
  const { tools } = toolCapabilities('notes', [{ tool, effect }])
  return toolSources('notes', '{}', tools).find(({ path }) => path === 'src/handlers/read_note.ts')!.text
}

describe('the handler of a tool', () => {
  it.each([
    ['read', "notesUpstream.call({ tool: 'read_note', reads: true }, input, context)"],
    ['write', "notesUpstream.call({ tool: 'read_note' }, input, context)"],
    // Whoever reads only may be called again after a failure; what nobody has decided may not.
    [undefined, "notesUpstream.call({ tool: 'read_note' }, input, context)"],
  ] as const)('of which a person has said %s', (effect, call) => {
    expect(handlerOf(effect)).toContain(call)
  })
})

it('a time limit of all tools is where the server is, and one of a tool in its handler', () => {
  const { tools } = toolCapabilities('notes', [{ tool, effect: 'read' }])
  const files = toolSources('notes', '{}', tools, { all: 60_000, tools: { read_note: 600_000 } })
  const textOf = (path: string) => files.find((file) => file.path === path)!.text
  expect(textOf('src/notes.ts')).toContain('mcpUpstream(PINNED, () => process.env, { timeoutMs: 60000 })')
  expect(textOf('src/handlers/read_note.ts')).toContain("{ tool: 'read_note', reads: true, timeoutMs: 600000 }")
})
