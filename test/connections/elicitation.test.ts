/** Clients of MCP show the page where a person connects an account, and one call goes on when it is connected. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CLIENTS, type Elicited, type World as McpWorld } from '../surfaces/mcp-world.js'
import { agentOf, authorizationServer, connectedAs, mail, publicClient, startMail } from './world.js'

const { issuer, control } = authorizationServer()
beforeEach(async () => {
  mail.connection = publicClient(issuer())
  await control({ sent: [], reused: 0, delay: 0, fail: 0, lifetime: 600 })
})

const OVER_LINES = CLIENTS.filter(([, over]) => over === 'stdio')

/** A client of MCP whose token Ana gave. */
async function peers(connect: (typeof CLIENTS)[number][2], elicit?: (asked: Elicited) => unknown) {
  const world = await startMail({ limits: { longPollSeconds: 0.3 } })
  const { token } = await agentOf(world, 'ana-key')
  const server = { fixture: world.fixture, url: world.url, token, options: {} } as object as McpWorld
  return { world, agent: await connect(server, { over: 'stdio', ...(elicit && { elicit }) }) }
}

describe.each(OVER_LINES)('a %s client over %s', (_, __, connect) => {
  it('that shows pages asks once, and gets the result of the same call after the consent', async () => {
    const asked: Elicited[] = []
    const { world, agent } = await peers(connect, async (page) => {
      asked.push(page)
      await connectedAs(world, 'ana-key', 'ana@mail.example')
      return { action: 'accept' }
    })
    expect(await agent.call('read_mail')).toMatchObject({ structuredContent: { account: 'ana@mail.example' } })
    expect(asked).toMatchObject([
      {
        mode: 'url',
        message: 'Read mail acts in an account of yours. Open the page to connect it.',
        url: `${world.url}/-/console/connections?connect=mail`,
      },
    ])
  })

  it.each([
    ['declines', { action: 'decline' }],
    ['opens it and connects nothing', { action: 'accept' }],
  ])('whose person %s gets the refusal, and asks no more', async (_name, reply) => {
    let asked = 0
    const { agent } = await peers(connect, () => (asked++, reply))
    const answer = await agent.call('read_mail')
    expect([answer.isError, asked]).toEqual([true, 1])
    expect(answer.structuredContent).toMatchObject({ failure: { type: 'connection_required', retry: true } })
  })

  it('that shows no pages gets the address in the text of the refusal', async () => {
    const { world, agent } = await peers(connect)
    const { content } = await agent.call('read_mail')
    expect(JSON.parse(content[0]!.text!)).toMatchObject({
      failure: { type: 'connection_required', connection_url: `${world.url}/-/console/connections?connect=mail` },
    })
  })
})
