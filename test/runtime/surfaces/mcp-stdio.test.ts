/** What MCP over stdio takes of a client at once. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mcpOverStdio } from '../../../src/runtime/surfaces/mcp/stdio.js'
import { startFixture } from '../fixture/service.js'

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

/** A message of so many bytes, its line end included. */
const messageOf = (bytes: number): string => {
  const text = (name: string): string =>
    `${JSON.stringify({ ...INITIALIZE, params: { ...INITIALIZE.params, clientInfo: { name, version: '1' } } })}\n`
  return text('x'.repeat(bytes - text('').length))
}

async function opened() {
  const { service, logged } = await startFixture({ limits: { bodyBytes: 500 } })
  const [input, output] = [new PassThrough(), new PassThrough()]
  const ended = mcpOverStdio(service, {}, { token: 'none' }, input, output)
  return { input, output, ended, logged }
}

it('a message of twice the bytes of a body is answered', async () => {
  const { input, output, ended } = await opened()
  input.write(messageOf(1_000))
  const [line] = (await once(output, 'data')) as [Buffer]
  expect(JSON.parse(line.toString())).toMatchObject({ id: 1, result: { serverInfo: { name: 'flights' } } })
  input.end()
  await ended
})

it('one of a byte more ends the connection, and with it the process', async () => {
  const { input, output, ended, logged } = await opened()
  input.write(messageOf(1_001))
  await ended
  expect(output.read()).toBeNull()
  expect(logged.filter((line) => line.includes('An MCP message was refused.'))).toEqual([
    'An MCP message was refused. {"error":"A message has more than 1000 bytes."}',
  ])
})

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'svc-token-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

describe('the token', () => {
  const list = async (place: (token: string) => Promise<{ readonly file?: string; readonly token?: string }>) => {
    const { service, root } = await startFixture()
    const [input, output] = [new PassThrough(), new PassThrough()]
    const lines = createInterface({ input: output })[Symbol.asyncIterator]()
    const ended = mcpOverStdio(service, {}, await place((await root()).token), input, output)
    input.write(`${JSON.stringify(INITIALIZE)}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n`)
    await lines.next()
    const answer = JSON.parse((await lines.next()).value as string) as { readonly result?: object; readonly error?: object }
    input.end()
    await ended
    return answer
  } // prettier-ignore

  it('of a file may stand between blanks and line ends', async () => {
    const file = join(folder(), 'token')
    const place = async (token: string) => (await writeFile(file, `  ${token}\r\n\n`), { file })
    expect(await list(place)).toMatchObject({ id: 2, result: { tools: expect.any(Array) } })
  })

  it('of a file that is gone is none, whatever else is at hand', async () => {
    const file = join(folder(), 'gone')
    expect(await list(async (token) => ({ file, token }))).toMatchObject({
      error: { message: expect.stringContaining(`The token file ${file} cannot be read.`) },
    })
  })
})
