import { expect, it, vi } from 'vitest'
import type { ConnectionView } from '../../src/protocol/connections.js'
import { at, failure, ME, openPage, type Answers } from './screen.js'

const LIST = 'GET /-/console/api/connections'
const mine = (upstream: string, more: Partial<ConnectionView> = {}): ConnectionView => ({
  connection_id: `con_${upstream}`,
  person: 'human:bob',
  upstream,
  scopes: ['read'],
  state: 'connected',
  account: `bob@${upstream}.example`,
  connected_at: at(-3600),
  ...more,
})
const upstreamAt = (upstream: string) => ({ upstream, title: upstream.toUpperCase(), issuer: `https://${upstream}.example`, capabilities: [`use_${upstream}`] }) // prettier-ignore
const page = (connections: readonly ConnectionView[], more: Answers = {}): Answers => ({
  'GET /-/console/api/me': { ...ME, connects: true },
  [LIST]: { connections, upstreams: ['mail', 'files', 'lab'].map(upstreamAt), count: connections.length },
  ...more,
})

/** The page is loaded when it is opened. */
async function opened(path: string, answers: Answers) {
  const screen = await openPage(path, answers)
  await vi.waitFor(() => expect(screen.lines().join(' ')).toContain('MAIL'))
  return screen
}

it('shows each account with its state, what needs attention, and what uses it', async () => {
  const connections = [
    mine('mail', { last_used_at: at(-60), last_used_by: 'agent:desk' }),
    mine('files', { state: 'ended', ended_because: 'refused_upstream' }),
  ]
  const screen = await opened('/connections', page(connections))
  expect(screen.lines()).toMatchInlineSnapshot(`
    [
      "1 account connected, 1 needs attention",
      "Agents that act for you use these accounts. They never see your password or a token.",
      "{role=status}",
      "{aria-label=Your accounts}",
      "(?)",
      "MAIL {data-is=done}(done)Connected",
      "bob@mail.example, since 20:00",
      "Last used 20:59 by agent:desk",
      "use_mail",
      "Disconnect… MAIL",
      "(?)",
      "FILES {data-is=waiting}(waiting)Needs attention",
      "bob@files.example",
      "use_files",
      "{data-kind=primary}Reconnect… FILES",
      "{data-is=waiting}(?)The provider ended the access",
      "Connected 20:00 (11:00 UTC). Calls that need it are refused with connection_required. Reconnect the account to let the agents continue.",
      "(?)",
      "LAB Not connected",
      "https://lab.example",
      "use_lab",
      "{data-kind=primary}Connect… LAB",
    ]
  `)
})

it('disconnects an account after it was asked, and says what that means', async () => {
  const screen = await opened('/connections', page([mine('mail')]))
  await screen.click('Disconnect… MAIL')
  expect(screen.lines('dialog')).toMatchInlineSnapshot(`
    [
      "Disconnect bob@mail.example?",
      "At once",
      "No agent can use the account. Calls that need it are refused.",
      "At the provider",
      "The service revokes its access and deletes its tokens.",
      "Back again",
      "Connect again at any time; agents keep their tokens.",
      "{data-kind=deny-full aria-disabled=false}Disconnect",
      "{type=button}Go back Esc",
    ]
  `)
  screen.answer({
    'POST /-/console/api/connections/con_mail/disconnect': mine('mail', {
      state: 'ended',
      ended_because: 'disconnected',
    }),
    [LIST]: {
      connections: [mine('mail', { state: 'ended', ended_because: 'disconnected' })],
      upstreams: [upstreamAt('mail')],
      count: 1,
    },
  })
  await screen.submit()
  expect(screen.lines().filter((line) => /connected|Reconnect/u.test(line))).toEqual([
    '0 accounts connected',
    'MAIL Not connected',
    '{data-kind=primary}Reconnect… MAIL',
  ])
})

it('says why an account was not connected', async () => {
  const denied = await opened('/connections?because=denied', page([]))
  expect(denied.lines().join(' ')).toContain('You did not agree at the provider. Nothing was connected.')
  const screen = await opened('/connections', page([]))
  screen.answer({ 'POST /-/console/api/connections/connect': failure('service_unavailable', 'The provider is away.') })
  await screen.click('Connect… MAIL')
  expect(screen.lines().join(' ')).toContain('The provider is away.')
})
