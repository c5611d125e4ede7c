/** Credential D: clients that only start processes reach a service over HTTP by `svc mcp connect` (surfaces, section 3). */
import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { serve } from '../../src/runtime/node.js'
import { mcp } from '../../src/runtime/surfaces/mcp/index.js'
import { bareBridge, credentialFile, ERAS, throughBridge } from './bridge-world.js'
import { progressOf, startWorld } from './mcp-world.js'

const SCOPE = ['--scope', 'travel.search', '--subject', 'agent:editor', '--budget', '100:EUR']

describe.each(ERAS)('a client of the %s era', (era) => {
  it('lists, calls, goes on after an approval and gets progress, with a token of its own', async () => {
    const world = await startWorld()
    const { client, said } = await throughBridge(era, world.url, credentialFile('ana-key'), SCOPE)
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names.sort()).toEqual(['ask', 'search', 'slow', 'trip__book'])
    const found = await client.callTool({ name: 'search', arguments: { city: 'Faro' } })
    expect(found.structuredContent).toEqual({ found: 'Hotels in Faro' })
    const asked = await client.callTool({ name: 'trip__book', arguments: { hotel: 'Ritz' } })
    const { failure } = asked.structuredContent as { failure: { approval_request_id: string } }
    await world.approve(failure.approval_request_id)
    const booked = await client.callTool({ name: 'trip__book', arguments: { hotel: 'Ritz' } })
    expect([booked.structuredContent, world.effects.length]).toEqual([{ booked: 'Ritz' }, 1])
    const { seen, onprogress } = progressOf(world, 2)
    const options = { onprogress } as never
    const slow = { name: 'slow', arguments: {} }
    await (era === 'legacy' ? client.callTool(slow, undefined, options) : client.callTool(slow, options))
    expect(seen.map(([, message]) => message)).toEqual(['{"done":1}', '{"done":2}'])
    const entries = (await world.fixture.trail(world.token)).filter(({ entry_type }) => entry_type === 'invocation')
    expect(new Set(entries.map(({ actor_key }) => actor_key))).toEqual(new Set(['agent:editor']))
    expect(said.join('')).toBe('')
  })

  it('goes on when the service was away', async () => {
    const world = await startWorld()
    const { client } = await throughBridge(era, world.url, credentialFile('ana-key'), SCOPE)
    await client.listTools()
    await world.close()
    const waiting = client.callTool({ name: 'search', arguments: { city: 'Faro' } })
    await pause(700)
    await serve(world.fixture.service, { port: Number(new URL(world.url).port), surfaces: [mcp()] })
    expect((await waiting).structuredContent).toEqual({ found: 'Hotels in Faro' })
  })

  it('draws another token when its own has ended, and says so when it may not', async () => {
    const world = await startWorld()
    const file = credentialFile('ana-key')
    const { client } = await throughBridge(era, world.url, file, SCOPE)
    const call = () => client.callTool({ name: 'search', arguments: { city: 'Faro' } })
    await call()
    const [first] = await world.fixture.trail(world.token)
    await world.fixture.post('/svc/tokens/revoke', 'ana-key', { token_id: first!['token_id'] })
    expect((await call()).structuredContent).toEqual({ found: 'Hotels in Faro' })
    const [second] = await world.fixture.trail(world.token)
    expect(second!['token_id']).not.toBe(first!['token_id'])
    writeFileSync(file, 'gone-key')
    await world.fixture.post('/svc/tokens/revoke', 'ana-key', { token_id: second!['token_id'] })
    await expect(call()).rejects.toThrow('Unknown credential.')
  })
})

describe('svc mcp connect', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

  it('uses a delegation token as it is, read again for each message', async () => {
    const world = await startWorld()
    const file = credentialFile(world.token)
    const { send, answers, child, ended } = bareBridge(`${world.url}/mcp`, file)
    send(list)
    await expect.poll(() => answers().length, { timeout: 5000 }).toBe(1)
    writeFileSync(file, 'ana-key')
    send({ ...list, id: 2 })
    await expect.poll(() => answers().length, { timeout: 5000 }).toBe(2)
    expect(answers()[1]!.error!.message).toBe('The credential is no delegation token. Name what the agent may do: --scope.')
    child.stdin.end()
    expect(await ended).toBe(0)
  }) // prettier-ignore

  it.each([
    ['with a token of its own', SCOPE, 'api-key', '/svc/tokens gave no answer: '],
    ['with a delegation token', [], '', '/mcp cannot be reached: '],
  ])('says what to do about a dead address, %s', async (_, options, credential, message) => {
    const { url, close, token } = await startWorld()
    await close()
    const { send, answers } = bareBridge(url, credentialFile(credential === '' ? token : credential), options)
    send(list)
    await expect.poll(() => answers().length, { timeout: 60_000 }).toBe(1)
    const said = answers()[0]!.error!.message
    expect([said.startsWith(`${url}${message}`), said.includes('ECONNREFUSED')]).toEqual([true, true])
    expect(said).toMatch(/\. Start the service, or give its address\.$/u)
  })

  it('says what to do about an unknown credential', async () => {
    const world = await startWorld()
    const file = credentialFile('nobody-key')
    const { send, answers } = bareBridge(world.url, file, SCOPE)
    send(list)
    await expect.poll(() => answers().length, { timeout: 60_000 }).toBe(1)
    expect(answers()[0]!.error!.message).toBe(
      `Unknown credential. Put another one into ${file} (SVC_TOKEN_FILE); it is read again at the next call.`,
    )
  })

  it('says what to do about a token that has expired, and takes the next one', async () => {
    let ms = 0
    const world = await startWorld({ clock: () => Date.now() + ms })
    const file = credentialFile(world.token)
    const { send, answers } = bareBridge(world.url, file)
    ms = 25 * 3600 * 1000
    send(list)
    await expect.poll(() => answers().length, { timeout: 60_000 }).toBe(1)
    expect(answers()[0]!.error!.message).toMatch(new RegExp(`expired.* Put another one into ${file} \\(SVC_TOKEN_FILE\\); it is read again at the next call\\.$`, 'u'))
    writeFileSync(file, (await world.fixture.root({ subject: 'agent:planner' })).token)
    send({ ...list, id: 2 })
    await expect.poll(() => answers().length, { timeout: 60_000 }).toBe(2)
    expect(answers()[1]!.error).toBeUndefined()
  }) // prettier-ignore

  it('ends when its client goes, and answers first what is on its way', async () => {
    const world = await startWorld()
    const { send, answers, child, ended, output } = bareBridge(world.url, credentialFile(world.token))
    send(list)
    child.stdin.end()
    const code = await ended
    expect([code, answers().map(({ id }) => id), output.stderr]).toEqual([0, [1], ''])
  })

  it('ends at once when it is told to', async () => {
    const world = await startWorld()
    const { send, answers, child, ended } = bareBridge(world.url, credentialFile(world.token))
    send(list)
    await expect.poll(() => answers().length, { timeout: 5000 }).toBe(1)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  it.each([
    ['without a credential', ['http://127.0.0.1:9'], '', 'There is no credential.'],
    ['with a credential in the address', ['http://me:secret@127.0.0.1:9'], 'x', 'takes no user, password, query or fragment'],
    ['with an address that others can read on the way', ['http://svc.example'], 'x', 'in the clear'],
    ['with a budget for no scope', ['http://127.0.0.1:9', '--budget', '1:EUR'], 'x', '--budget and --ttl-hours need --scope'],
    ['with a token as an option', ['http://127.0.0.1:9', '--token', 'x'], 'x', 'unknown-option'],
  ])('does not start %s', async (_, [url, ...options], credential, message) => {
    const { ended, output } = bareBridge(url!, credential === '' ? '' : credentialFile(credential), options)
    expect([await ended, output.stderr]).toEqual([2, expect.stringContaining(message) as string])
    expect(output.stderr).not.toContain('secret')
  }) // prettier-ignore
})
