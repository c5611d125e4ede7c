import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const AI = `
import { generateText, streamText, ToolLoopAgent, type LanguageModel } from 'ai'
import { serviceTools } from 'svc-kit/ai-sdk'
import { createClient } from './generated/client.js'
import { tools } from './generated/tools.js'

const client = createClient({ baseUrl: 'http://127.0.0.1:4100' })
declare const model: LanguageModel
export const result = await generateText({ model, prompt: 'Go.', ...(await serviceTools(client, tools, { conversation: 'c' })) })
export const stream = streamText({ model, prompt: 'Go.', ...(await serviceTools(client, tools)) })
export const agent = new ToolLoopAgent({ model, ...(await serviceTools(client, tools, { approval: 'wait' })) })
`

const OTHERS = `
import { Agent } from '@openai/agents'
import { MemorySaver } from '@langchain/langgraph'
import { createAgent } from 'langchain'
import * as langchain from 'svc-kit/langchain'
import * as openai from 'svc-kit/openai-agents'
import { createClient } from './generated/client.js'
import { tools } from './generated/tools.js'

const client = createClient({ baseUrl: 'http://127.0.0.1:4100' })
export const one = new Agent({ name: 'Desk', tools: await openai.serviceTools(client, tools) })
export const two = createAgent({ model: 'x', tools: await langchain.serviceTools(client, tools), checkpointer: new MemorySaver() })
`

const OPTIONS = { target: 'ES2023', lib: ['ES2023', 'DOM'], types: ['node'], module: 'NodeNext', strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: true, noEmit: true } // prettier-ignore

/** A project with what was built, and these packages; `ai` is the version that it is linked to. */
function complaintsAbout(source: string, links: { readonly [name: string]: string }): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-agent-types-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  const kit = join(folder, 'node_modules/svc-kit')
  mkdirSync(kit, { recursive: true })
  for (const part of ['package.json', 'dist/adapters', 'dist/client', 'dist/protocol'])
    cpSync(part, join(kit, part), { recursive: true })
  for (const [name, target] of Object.entries({
    '@types/node': '@types/node',
    'undici-types': 'undici-types',
    ...links,
  })) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(resolve('node_modules', target), join(folder, 'node_modules', name), 'junction')
  }
  cpSync('examples/refunds/generated', join(folder, 'generated'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['agent.ts'] }))
  writeFileSync(join(folder, 'agent.ts'), source)
  try {
    return execFileSync(resolve('node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' })
  } catch (error) {
    return (error as { readonly stdout: string }).stdout
  }
}

it.each([
  ['AI SDK 6', AI, { ai: 'ai' }],
  ['AI SDK 7', AI, { ai: 'ai-7' }],
  ['OpenAI Agents and LangChain', OTHERS, { '@openai/agents': '@openai/agents', langchain: 'langchain', '@langchain/core': '@langchain/core', '@langchain/langgraph': '@langchain/langgraph' }],
] as const)('the one line for %s has its types', (_, source, links) => {
  expect(complaintsAbout(source, links)).toBe('')
}) // prettier-ignore
