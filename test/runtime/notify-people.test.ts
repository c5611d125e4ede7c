/** What people read of events: in Slack, and by e-mail from a real SMTP server (decisions, section 13). */
import { expect, it, onTestFinished } from 'vitest'
import { SMTPServer } from 'smtp-server'
import type { ServiceEvent } from '../../src/protocol/events.js'
import { email, slack } from '../../src/runtime/events/notify.js'
import { startReceiver } from './fixture/receiver.js'

const EVENT: ServiceEvent = {
  specversion: '1.0',
  id: 'approval.requested.apr_1',
  source: 'travel',
  type: 'approval.requested',
  subject: 'apr_1',
  time: '2026-03-01T12:00:00.000Z',
  datacontenttype: 'application/json',
  data: {
    capability: 'book_hotel',
    side_effect: 'irreversible',
    requester: { subject: 'agent:<!channel>\r\nBcc: all@example.com', root_principal: 'human:ana' },
    cost: { amount: 99_999, currency: 'EUR' },
    approval_request_id: 'apr_1',
    approval_url: 'https://svc.example/-/console/approvals/apr_1',
    expires_at: '2026-03-01T13:00:00.000Z',
  },
}
const SENDING = { event: EVENT, body: JSON.stringify(EVENT), now: Date.parse(EVENT.time) }
const never = new AbortController().signal

interface Mail {
  readonly user: string
  readonly to: readonly string[]
  readonly text: string
}

/** A server of mail that knows one user. */
async function startMail(refuse?: number) {
  const mails: Mail[] = []
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    onAuth: ({ username, password }, _, done) =>
      password === 'hunter2' ? done(null, { user: username ?? '' }) : done(new Error('Who is hunter2?')),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (refuse !== undefined) return done(Object.assign(new Error('No, ana.'), { responseCode: refuse }))
        const to = session.envelope.rcptTo.map(({ address }) => address)
        mails.push({ user: String(session.user), to, text: Buffer.concat(chunks).toString() })
        done()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  onTestFinished(() => new Promise<void>((done) => void server.close(done)))
  const { port } = server.server.address() as { readonly port: number }
  return { mails, url: (password: string) => `smtp://svc:${password}@127.0.0.1:${port}` }
}

const mailTo = (smtp: string) =>
  email({ name: 'approvers', smtp, from: 'svc@example.com', to: ['bob@example.com', 'eve@example.com'] })

it('is an e-mail of plain text with the link, and the same id each time', async () => {
  const { mails, url } = await startMail()
  const target = mailTo(url('hunter2'))
  expect([target.problems, await target.deliver(SENDING, never), await target.deliver(SENDING, never)]).toEqual([
    [], { ok: true }, { ok: true },
  ]) // prettier-ignore
  const [{ user, to, text }] = mails as [Mail]
  expect([user, to]).toEqual(['svc', ['bob@example.com', 'eve@example.com']])
  const [head = '', body = ''] = text.split('\r\n\r\n', 1).concat(text.slice(text.indexOf('\r\n\r\n') + 4))
  expect(head).toContain('Subject: Approval requested: book_hotel')
  expect(head).toContain('Auto-Submitted: auto-generated')
  expect(head).not.toMatch(/^Bcc/imu)
  expect(body.replaceAll('=\r\n', '').split('\r\n')).toEqual(
    expect.arrayContaining([
      'Effect: irreversible',
      'Cost: 99999 EUR',
      'Decide: https://svc.example/-/console/approvals/apr_1',
    ]),
  )
  const idOf = (mail: Mail) => /^Message-ID: (.*)$/imu.exec(mail.text)?.[1]
  expect([idOf(mails[0]!), idOf(mails[1]!)]).toEqual(Array(2).fill('<approval.requested.apr_1@svc.invalid>'))
})

it('is not delivered where the server refuses it, and nothing that the server said is kept', async () => {
  const { url } = await startMail(550)
  expect(await mailTo(url('hunter2')).deliver(SENDING, never)).toEqual({ ok: false, error: 'status 550' })
  expect(await mailTo(url('wrong')).deliver(SENDING, never)).toEqual({ ok: false, error: 'status 535' })
  expect(await mailTo('smtp://127.0.0.1:1').deliver(SENDING, never)).toMatchObject({ ok: false, error: expect.stringMatching(/^no answer \(E\w+\)$/u) as string }) // prettier-ignore
})

it('is refused at the start without a server', () => {
  expect(mailTo('mail.example').problems).toEqual([expect.stringContaining('Its smtp must be an address') as string])
})

it('is a message in Slack, in which no name becomes a link or calls people', async () => {
  const receiver = await startReceiver()
  onTestFinished(receiver.close)
  expect(await slack({ name: 'chat', url: receiver.url }).deliver(SENDING, never)).toEqual({ ok: true })
  expect(JSON.parse(receiver.received[0]!.body)).toEqual({
    text: 'Approval requested: book_hotel',
    blocks: [
      {
        type: 'section',
        text: {
          type: 'plain_text',
          emoji: false,
          text: [
            'Approval requested: book_hotel',
            'Effect: irreversible',
            'Requester: agent:<!channel> Bcc: all@example.com for human:ana',
            'Cost: 99999 EUR',
            'Until: 2026-03-01T13:00:00.000Z',
            'Request: apr_1',
            'Service: travel',
          ].join('\n'),
        },
      },
      {
        type: 'actions',
        elements: [
          { type: 'button', text: { type: 'plain_text', text: 'Decide' }, url: 'https://svc.example/-/console/approvals/apr_1' },
        ],
      },
    ],
  }) // prettier-ignore
})

it('is sent to people for what waits and what went wrong, unless more is asked for', () => {
  const { events } = slack({ name: 'chat', url: 'https://hooks.example/x' })
  expect(events).toEqual(['approval.requested', 'approval.expiring', 'invocation.outcome_unknown', 'alarm.raised'])
  expect(slack({ name: 'chat', url: 'https://hooks.example/x', events: ['token.revoked'] }).events).toEqual([
    'token.revoked',
  ])
})

it('calls nobody in the line that Slack shows outside of it', async () => {
  const receiver = await startReceiver()
  onTestFinished(receiver.close)
  const event = { ...EVENT, data: { ...EVENT.data, capability: '<!channel> & <https://evil.example|book_hotel>' } }
  await slack({ name: 'chat', url: receiver.url }).deliver({ ...SENDING, event }, never)
  expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
    text: 'Approval requested: &lt;!channel&gt; &amp; &lt;https://evil.example|book_hotel&gt;',
  })
})
