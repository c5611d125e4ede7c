/** Every way by which an agent reaches a service, and who is known to cover it. */
import { aiSdk6 } from './agents/ai-sdk.js'
import { aiSdk7 } from './agents/ai-sdk-7.js'
import type { Connect } from './agents/agent.js'
import { http } from './agents/http.js'
import { langChain } from './agents/langchain.js'
import { mcpLegacy, mcpModern } from './agents/mcp.js'
import { openAiAgents } from './agents/openai-agents.js'
import { python } from './agents/python.js'
import { stdio } from './agents/stdio.js'
import { typedClient } from './agents/typed-client.js'

export const SURFACES = {
  HTTP: http,
  stdio,
  'MCP modern': mcpModern,
  'MCP legacy': mcpLegacy,
  'typed client': typedClient,
  'AI SDK 6': aiSdk6,
  'AI SDK 7': aiSdk7,
  'OpenAI Agents': openAiAgents,
  LangChain: langChain,
  Python: python,
} as const satisfies { readonly [name: string]: Connect }

export type Surface = keyof typeof SURFACES

export const FRAMEWORKS = ['AI SDK 6', 'AI SDK 7', 'OpenAI Agents', 'LangChain'] as const satisfies readonly Surface[]
export const MCP = ['MCP modern', 'MCP legacy'] as const satisfies readonly Surface[]
