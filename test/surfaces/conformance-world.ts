/** A service with the tools that the conformance suite of MCP calls, as far as a service offers them. */
import { capability, input } from '../runtime/fixture/manifest.js'
import { startWorld } from './mcp-world.js'

const SAID = { type: 'object', fields: [{ name: 'text', type: 'string' }] } as const
const ASKED = { resolution: { mode: 'clarify' } as never, required: true }

type Progress = { readonly progress: (payload: unknown) => Promise<void> }

const TOOLS = {
  test_simple_text: [capability({ output: SAID }), () => ({ text: 'A simple text.' })],
  test_error_handling: [capability(), () => Promise.reject(new Error('This tool fails.'))],
  test_tool_with_progress: [
    capability({ response_modes: ['unary', 'streaming'] }),
    async (_: object, { progress }: Progress) => {
      for (const done of [0, 50, 100]) await progress({ done })
      return {}
    },
  ],
  test_input_required_result_elicitation: [capability({ inputs: [input('name', ASKED)] }), () => ({})],
  test_input_required_result_request_state: [
    capability({ inputs: [input('ok', { ...ASKED, type: 'boolean' })], output: SAID }),
    () => ({ text: 'state-ok' }),
  ],
  test_input_required_result_tampered_state: [
    capability({ inputs: [input('ok', { ...ASKED, type: 'boolean' })] }),
    () => ({}),
  ],
} as const

export const startConformanceWorld = () =>
  startWorld({
    capabilities: Object.fromEntries(Object.entries(TOOLS).map(([name, [declared]]) => [name, declared])) as never,
    handlers: Object.fromEntries(Object.entries(TOOLS).map(([name, [, handler]]) => [name, handler])) as never,
  })
