/** N29, N30: bodies that are never finished, over sockets; revocation, operators and calls are answered meanwhile (decisions, section 20). */
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { answerOverHttp } from '../../src/runtime/http/answer.js'
import { nodeServer } from '../../src/runtime/http/server.js'
import { startFixture, type Fixture } from '../runtime/fixture/service.js'

const open: { close(): void }[] = []
afterEach(() => open.splice(0).forEach((each) => each.close()))

async function listening({ service }: Fixture): Promise<number> {
  const server = nodeServer(answerOverHttp(service), service.limits)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({ close: () => (server.closeAllConnections(), server.close()) })
  return (server.address() as AddressInfo).port
}

/** Sends the head of a request and a part of its body, and never the rest. */
function unfinished(port: number, path: string, bearer: string, bytes: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  open.push({ close: () => socket.destroy() })
  socket.on('error', () => undefined)
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${bearer}\r\ncontent-type: application/json\r\ncontent-length: ${bytes + 1}\r\n\r\n`
  return new Promise((resolve) => socket.write(head + ' '.repeat(bytes), () => resolve(socket)))
}

/** The status of a request that is sent once. */
async function asked(port: number, path: string, bearer: string, body: object): Promise<number> {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', connection: 'close' }
  return (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }))
    .status
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 100))

it.each(['/svc/invoke/search', '/svc/permissions', '/svc/tokens', '/svc/tokens/revoke'])(
  'N30 an agent with bodies that it never finishes at %s: its person calls, and revokes it',
  async (path) => {
    const fixture = await startFixture({ limits: { bodyBytesInFlight: 1_000_000, bodyBytesInFlightPerPrincipal: 400_000, bodyBytesInFlightPerToken: 100_000 } })
    const port = await listening(fixture)
    const agent = await fixture.root({ subject: 'agent:gone-wrong' })
    const own = await fixture.root()
    await Promise.all(Array.from({ length: 40 }, () => unfinished(port, path, agent.token, 15_000)))
    await settled()
    expect(await asked(port, '/svc/invoke/search', own.token, { parameters: {} })).toBe(200)
    expect(await asked(port, '/svc/tokens/revoke', 'ana-key', { token_id: agent.token_id })).toBe(200)
    expect(await asked(port, '/-/tokens/revoke', 'op-key', { principal: 'human:eve', reason: 'test' })).toBe(200)
    expect((await fixture.call('GET', '/-/ready')).body).toMatchObject({ status: 'degraded', alarms: ['bodies_refused'] })
    fixture.time.now += 60_000
    expect((await fixture.call('GET', '/-/ready')).body).toMatchObject({ alarms: [] })
  },
) // prettier-ignore
