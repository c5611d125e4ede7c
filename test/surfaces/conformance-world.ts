/** A service with the tools that the conformance suite of MCP calls, as far as a service offers them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import { mcpUpstream, upstreamToolDigest, type McpContext } from '../../src/runtime/upstream/index.js'
import type { Caller, Questions } from '../../src/protocol/questions.js'
import type { McpOptions } from '../../src/runtime/surfaces/mcp/index.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { startWorld } from './mcp-world.js'

const SAID = { type: 'object', fields: [{ name: 'text', type: 'string' }] } as const
type Context = { readonly progress: (payload: unknown) => Promise<void>; readonly caller: Caller }

const text = (name: string) => ({ form: `Your ${name}?`, fields: { [name]: { type: 'string' } }, required: [name] }) as const // prettier-ignore
const yes = { form: 'Go on?', fields: { ok: { type: 'boolean' } }, required: ['ok'] } as const
const capital = { model: 'What is the capital of France?', maxTokens: 100 } as const

/** A tool that asks its caller, and answers with what it was answered. */
const asking = (questions: Questions, reading: (answers: object) => string = JSON.stringify) => [
  capability({ output: SAID }),
  async (_: object, { caller }: Context) => ({ text: reading(await caller.ask(questions)) }),
] as const // prettier-ignore

const CHOICES = ['option1', 'option2', 'option3']
const titled = (...names: readonly string[]) => names.map((name, at) => ({ const: `value${at + 1}`, title: name }))

const TOOLS = {
  test_simple_text: [capability({ output: SAID }), () => ({ text: 'A simple text.' })],
  test_error_handling: [capability(), () => Promise.reject(new Error('This tool fails.'))],
  test_tool_with_progress: [
    capability({ response_modes: ['unary', 'streaming'] }),
    async (_: object, { progress }: Context) => {
      for (const done of [0, 50, 100]) await progress({ done })
      return {}
    },
  ],
  test_tool_with_logging: [
    capability(),
    async (_: object, { caller }: Context) => {
      for (const told of ['Begun.', 'Half done.', 'Done.']) await caller.tell('info', told)
      return {}
    },
  ],
  test_logging_tool: [
    capability(),
    async (_: object, { caller }: Context) => {
      await caller.tell('info', 'Begun.')
      return {}
    },
  ],
  test_input_required_result_elicitation: asking({ user_name: text('name') }),
  test_input_required_result_sampling: asking({ capital_question: capital }),
  test_input_required_result_list_roots: asking({ client_roots: { roots: true } }),
  test_input_required_result_request_state: asking({ confirm: yes }, () => 'state-ok'),
  test_input_required_result_tampered_state: asking({ confirm: yes }),
  test_input_required_result_multiple_inputs: asking({
    user_name: text('name'),
    greeting: { model: 'Greet somebody.', maxTokens: 50 },
    client_roots: { roots: true },
  }),
  test_input_required_result_multi_round: [
    capability({ output: SAID }),
    async (_: object, { caller }: Context) => {
      const { step1 } = await caller.ask({ step1: text('name') })
      const { step2 } = await caller.ask({ step2: text('color') })
      return { text: JSON.stringify([step1, step2]) }
    },
  ],
  test_input_required_result_capabilities: [
    capability({ output: SAID }),
    async (_: object, { caller }: Context) => ({
      text: JSON.stringify(await caller.ask(caller.can.form ? { user_name: text('name') } : { capital })),
    }),
  ],
  test_missing_capability: asking({ capital }),
  test_streaming_elicitation: asking({ user_name: text('name') }),
  test_sampling: [
    capability({ inputs: [input('prompt')], output: SAID }),
    async ({ prompt }: { readonly prompt: string }, { caller }: Context) => ({
      text: (await caller.ask({ said: { model: prompt, maxTokens: 100 } })).said.text,
    }),
  ],
  test_elicitation: [
    capability({ inputs: [input('message')], output: SAID }),
    async ({ message }: { readonly message: string }, { caller }: Context) => {
      const fields = { username: { type: 'string' }, email: { type: 'string' } } as const
      const { user } = await caller.ask({ user: { form: message, fields, required: ['username', 'email'] } })
      return { text: JSON.stringify(user) }
    },
  ],
  test_elicitation_sep1034_defaults: asking({
    about: {
      form: 'Who are you?',
      fields: {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      },
    },
  }),
  test_elicitation_sep1330_enums: asking({
    choices: {
      form: 'Choose.',
      fields: {
        untitledSingle: { type: 'string', enum: CHOICES },
        titledSingle: { type: 'string', oneOf: titled('First', 'Second', 'Third') },
        legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
        untitledMulti: { type: 'array', items: { type: 'string', enum: CHOICES } },
        titledMulti: { type: 'array', items: { anyOf: titled('First', 'Second', 'Third') } },
      },
    },
  }),
} as const

const TEXT = { type: 'object', fields: [{ name: 'text', type: 'string' }] } as const

/** Capabilities that are read at an address, and one that changes what is read. */
const READ = {
  change: [capability({ side_effect: { type: 'write' } }), () => ({})],
  static_text: [capability({ output: TEXT }), () => ({ text: 'A static text.' })],
  static_binary: [capability({ output: TEXT }), () => ({ text: Buffer.from('bytes').toString('base64') })],
  data_of: [
    capability({ inputs: [input('id')], output: { type: 'object', fields: [{ name: 'id', type: 'string' }] } }),
    ({ id }: { readonly id: string }) => ({ id }),
  ],
} as const

const TEXT_OF = { capability: 'static_text', text: 'text' } as const

const OFFERED: McpOptions = {
  sessions: true,
  resources: {
    'test://static-text': TEXT_OF,
    'test://static-binary': { capability: 'static_binary', blob: 'text', mimeType: 'image/png' },
    'test://example-resource': TEXT_OF,
    'test://watched-resource': { ...TEXT_OF, changedBy: ['change'] },
    'test://template/{id}/data': { capability: 'data_of' },
  },
  prompts: {
    test_simple_prompt: { description: 'A simple prompt.', messages: [{ text: 'Say something.' }] },
    test_prompt_with_arguments: {
      description: 'A prompt with arguments.',
      arguments: { arg1: { required: true }, arg2: { required: true } },
      messages: [{ text: 'First {arg1}, then {arg2}.' }],
    },
    test_prompt_with_embedded_resource: {
      description: 'A prompt about a resource.',
      arguments: { resourceUri: { required: true } },
      messages: [{ resource: '{resourceUri}' }, { text: 'Explain it.' }],
    },
    test_prompt_with_image: {
      description: 'A prompt about a picture.',
      messages: [{ image: Buffer.from('bytes'), mimeType: 'image/png' }, { text: 'What is on it?' }],
    },
    test_input_required_result_prompt: {
      description: 'A prompt that asks.',
      arguments: { context: { required: true, ask: 'What is it about?' } },
      messages: [{ text: 'Talk about {context}.' }],
    },
  },
}

const BYTES = Buffer.from('bytes').toString('base64')
const IMAGE = { type: 'image', data: BYTES, mimeType: 'image/png' } as const
const EMBEDDED = {
  type: 'resource',
  resource: { uri: 'https://example.com/a', mimeType: 'text/plain', text: 'Embedded.' },
} as const

/** What tools of a server behind answer. */
const BEHIND = {
  test_image_content: [IMAGE],
  test_audio_content: [{ type: 'audio', data: BYTES, mimeType: 'audio/wav' }],
  test_embedded_resource: [EMBEDDED],
  test_multiple_content_types: [{ type: 'text', text: 'Several.' }, IMAGE, EMBEDDED],
} as const

const described = (name: string) => ({ name, description: 'Answers.', inputSchema: { type: 'object' as const } })

const ANSWERED = {
  type: 'object',
  fields: [
    { name: 'origin', type: 'string' },
    { name: 'content', type: 'array' },
    { name: 'structured', type: 'any' },
  ],
} as const

/** Handlers as `svc import mcp` writes them, for a server at an address. */
async function imported() {
  const listener = createServer(async (request, response) => {
    const server = new Server({ name: 'behind', version: '1' }, { capabilities: { tools: {} } })
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: Object.keys(BEHIND).map(described) }))
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
      content: [...BEHIND[params.name as keyof typeof BEHIND]],
    }))
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined } as never)
    await server.connect(transport as never)
    await transport.handleRequest(request, response)
  })
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  onTestFinished(() => (listener.closeAllConnections(), void listener.close()))
  const server = { url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`, credential: 'NONE' }
  const digestOf = (name: string) => upstreamToolDigest({ ...described(name), title: '', outputSchema: undefined, readOnly: false }) // prettier-ignore
  const tools = Object.fromEntries(Object.keys(BEHIND).map((name) => [name, digestOf(name)]))
  const behind = mcpUpstream({ name: 'behind', server, tools }, () => ({}))
  const handlerOf = (tool: string) => (input: object, context: McpContext) =>
    behind.call({ tool, reads: true }, input, context)
  const failures = { upstream_refused: 'It refused.', upstream_unavailable: 'It is away.', tool_changed: 'It changed.' }
  const declared = capability({ output: ANSWERED as never, extensions: { 'x-failures': failures } })
  return Object.fromEntries(Object.keys(BEHIND).map((name) => [name, [declared, handlerOf(name)] as const]))
}

export async function startConformanceWorld() {
  const tools = Object.entries({ ...TOOLS, ...READ, ...(await imported()) })
  const given = {
    capabilities: Object.fromEntries(tools.map(([name, [declared]]) => [name, declared])) as never,
    handlers: Object.fromEntries(tools.map(([name, [, handler]]) => [name, handler])) as never,
  }
  return startWorld(given, OFFERED)
}
