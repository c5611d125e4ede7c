import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtTravel, keysOf } from './built-travel.js'

const PACKAGES = ['ai', '@openai/agents', 'langchain', '@langchain/langgraph', '@langchain/core', '@modelcontextprotocol/client', '@modelcontextprotocol/server'] // prettier-ignore

let root: string
let folder: string
let server: ChildProcess
let env: NodeJS.ProcessEnv

/** A service, and beside it what a user of the examples installs: the generated client and the framework. */
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-agents-')))
  folder = await builtTravel(root)
  cpSync('examples/agents', join(root, 'agents'), { recursive: true })
  const links = { 'svc-kit': resolve('.'), 'travel-client': join(folder, 'dist/client'), ...Object.fromEntries(PACKAGES.map((name) => [name, resolve('node_modules', name)])) } // prettier-ignore
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(dirname(join(root, 'node_modules', name)), { recursive: true })
    symlinkSync(target, join(root, 'node_modules', name), 'junction')
  }
  const url = await startServer('0')
  env = { ...process.env, ...keysOf(folder), SVC_URL: url }
}, 120_000)

async function startServer(port: string): Promise<string> {
  server = spawn(process.execPath, ['dist/server.mjs'], { cwd: folder, env: { ...process.env, PORT: port, SVC_DEVELOPMENT: 'true' }, stdio: ['ignore', 'pipe', 'inherit'] }) // prettier-ignore
  return new Promise((found) => {
    server.stdout?.on('data', (data: Buffer) => {
      const address = /listens on (http\S+)/u.exec(data.toString())?.[1]
      if (address !== undefined) found(address)
    })
  })
}

async function restart(): Promise<void> {
  server.kill()
  await once(server, 'exit')
  await startServer(new URL(env['SVC_URL']!).port)
}

afterAll(() => {
  server.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true, maxRetries: 20 })
})

/** In the open, or in the checkpoints of LangGraph. */
function holdsToken(text: string): boolean {
  const packed = [...text.matchAll(/base64\\*":\\*"([\w+/=]+)/gu)].map(([, each = '']) => Buffer.from(each, 'base64').toString()) // prettier-ignore
  return [text, ...packed].some((each) => /eyJ[\w-]+\.eyJ[\w-]+\./u.test(each))
}

describe.each(['mcp', 'ai-sdk', 'openai-agents', 'langchain'])('the agent in examples/agents/%s', (name) => {
  const agent = (...words: readonly string[]): string =>
    execFileSync(process.execPath, [join(root, 'agents', name, 'agent.js'), ...words], { env, cwd: root, encoding: 'utf8' }) // prettier-ignore

  it('searches, is over its budget, asks, is approved by another, and goes on after a restart of both sides', async () => {
    const file = join(root, `${name}.json`)
    const asked = agent('ask', file)
    await restart()
    const printed = [asked, agent('approve'), agent('resume', file)]
    expect(printed).toEqual([
      'over budget: not booked: budget_exceeded, request_budget_increase\nwaits for an approver\n',
      'approved: true\n',
      'booked once: true\n',
    ])
    expect(holdsToken(readFileSync(file, 'utf8'))).toBe(false)
    expect(pageOf(name)).toContain(`\n\`\`\`text\n${printed.join('')}\`\`\`\n`)
  })

  it('has a page with its commands', () => {
    const commands = ['ask run.json', 'approve', 'resume run.json'].map((words) => `node agents/${name}/agent.js ${words}\n`)
    expect(pageOf(name)).toContain(commands.join(''))
  }) // prettier-ignore
})

const pageOf = (name: string): string => readFileSync(`examples/agents/${name}/README.md`, 'utf8')

it('the pages of the agents install the versions that are tested here, and every agent has one', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly devDependencies: object }
  const tested = new Set(Object.entries(devDependencies).map((each) => each.join('@')))
  const folders = readdirSync('examples/agents', { withFileTypes: true }).filter((each) => each.isDirectory())
  expect(folders).toHaveLength(5)
  for (const { name } of folders) {
    const installed = pageOf(name).match(/@?[\w/-]+@\d+\.\d+\.\d+/gu) ?? []
    expect([name, installed.filter((each) => !tested.has(each)), installed.length > 0]).toEqual([name, [], name !== 'python'])
  }
}) // prettier-ignore
