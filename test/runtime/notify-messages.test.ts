/** What people read of each event, and how a mail reaches its server. */
import nodemailer from 'nodemailer'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { EventData, EventType, ServiceEvent } from '../../src/protocol/events.js'
import { email } from '../../src/runtime/events/notify.js'
import { messageOf } from '../../src/runtime/events/targets/message.js'
import { slackMessageOf } from '../../src/runtime/events/targets/slack.js'
import { isPublicAddress } from '../../src/runtime/net/public-address.js'

const event = (type: EventType, data: EventData, source = 'travel'): ServiceEvent => ({
  specversion: '1.0', id: `${type}.1`, source, type, subject: '1', time: '2026-03-01T12:00:00.000Z', datacontenttype: 'application/json', data,
}) // prettier-ignore
const ANA = { subject: 'human:ana', root_principal: 'human:ana' }
const AGENT = { subject: 'agent:a', root_principal: 'human:ana' }

describe('a message', () => {
  it.each<[EventType, EventData, string, readonly string[]]>([
    ['approval.requested', { capability: 'book', side_effect: 'irreversible', requester: AGENT, cost: { currency: 'EUR', amount: 90 }, approval_request_id: 'apr_1', expires_at: '2026-03-01T13:00:00.000Z' }, 'Approval requested: book',
      ['Effect: irreversible', 'Requester: agent:a for human:ana', 'Cost: 90 EUR', 'Until: 2026-03-01T13:00:00.000Z', 'Request: apr_1']],
    ['approval.decided', { capability: 'book', requester: ANA, status: 'approved', approver: 'human:bob' }, 'Approval decided: book', ['Requester: human:ana', 'Decision: approved by human:bob']],
    ['approval.withdrawn', { capability: 'book', status: 'withdrawn' }, 'Approval request withdrawn: book', ['Decision: withdrawn']],
    ['approval.expiring', { capability: 'book' }, 'Approval request about to expire: book', []],
    ['approval.expired', { capability: 'book' }, 'Approval request expired: book', []],
    ['invocation.outcome_unknown', { capability: 'pay', invocation_id: 'inv-1' }, 'Outcome unknown: pay', ['Invocation: inv-1']],
    ['token.revoked', { token_id: 'tok_1', requester: ANA }, 'Token revoked', ['Requester: human:ana', 'Token: tok_1']],
    ['token.revoked', { target: { api_key: 'key-1' } }, 'Token revoked: api_key key-1', []],
    ['budget.threshold', { token_id: 'tok_1', budget: { currency: 'EUR', amount: 100 }, spent: { currency: 'EUR', amount: 81.5 } }, 'Most of a budget is spent', ['Budget: 81.5 EUR of 100 EUR', 'Token: tok_1']],
    ['alarm.raised', { alarm: 'clock_differs' }, 'Alarm: clock_differs', ['Meaning: The clocks of the service and the database differ.', 'Next step: Synchronize both clocks. svc doctor --production']],
  ])('of %s with %j', (type, data, headline, lines) => {
    expect(messageOf(event(type, data))).toEqual({ headline, lines: [...lines, 'Service: travel'] })
  }) // prettier-ignore

  it('has the page where a person decides', () => {
    const approval_url = 'https://svc.example/-/console/approvals/apr_1'
    expect(messageOf(event('approval.requested', { approval_url })).link).toBe(approval_url)
  })

  it.each<[string, string]>([
    ['a\r\nBcc: b', 'a Bcc: b'],
    ['a\u202eb\u200bc', 'a b c'],
    ['a\u2028b\u2029c', 'a b c'],
    ['a\u0000\u0007b', 'a b'],
    ['x'.repeat(400), 'x'.repeat(300 - 'Service: '.length)],
  ])('has %j on one line, of 300 characters at most', (source, shown) => {
    expect(messageOf(event('alarm.raised', {}, source)).lines).toEqual([`Service: ${shown}`])
  })

  it('in Slack is plain text, and a button where somebody decides', () => {
    const section = { type: 'section', text: { type: 'plain_text', text: 'A & <b>\none', emoji: false } }
    expect(slackMessageOf({ headline: 'A & <b>', lines: ['one'] })).toEqual({ text: 'A &amp; &lt;b&gt;', blocks: [section] }) // prettier-ignore
    const button = { type: 'button', text: { type: 'plain_text', text: 'Decide' }, url: 'https://x' }
    expect(slackMessageOf({ headline: 'A & <b>', lines: ['one'], link: 'https://x' })).toMatchObject({ blocks: [section, { type: 'actions', elements: [button] }] }) // prettier-ignore
  })
})

describe('a mail', () => {
  afterEach(() => vi.restoreAllMocks())
  const sent = (outcome: Promise<unknown>) => {
    const mails: object[] = []
    const transport = { sendMail: (mail: object) => (mails.push(mail), outcome), close: () => undefined }
    const created = vi.spyOn(nodemailer, 'createTransport').mockReturnValue(transport as never)
    return { mails, server: () => created.mock.calls[0]?.[0] }
  }
  const deliver = (smtp: string, to: string | readonly string[] = 'ops@example.org') =>
    email({ name: 'ops', smtp, from: 'svc@example.org', to }).deliver(
      { event: event('alarm.raised', { alarm: 'clock_differs' }), body: '{}', now: 0 },
      new AbortController().signal,
    )

  it.each<[string, object]>([
    ['smtps://mail.example', { host: 'mail.example', port: 465, secure: true, requireTLS: false }],
    ['smtp://mail.example', { host: 'mail.example', port: 587, secure: false, requireTLS: true }],
    ['smtp://mail.example:25', { host: 'mail.example', port: 25, secure: false, requireTLS: true }],
    ['smtp://localhost:25', { host: 'localhost', port: 25, secure: false, requireTLS: false }],
    ['smtp://[::1]', { host: '::1', port: 587, secure: false, requireTLS: false }],
    ['smtps://a%40b:p%2Fw@mail.example', { secure: true, auth: { user: 'a@b', pass: 'p/w' } }],
  ])('by %s goes to %j', async (smtp, expected) => {
    const { server } = sent(Promise.resolve())
    expect(await deliver(smtp)).toEqual({ ok: true })
    expect(server()).toMatchObject({ ...expected, disableFileAccess: true, disableUrlAccess: true })
    if (!smtp.includes('@')) expect(server()).not.toHaveProperty('auth')
  })

  it('says to whom, that no person wrote it, and its id', async () => {
    const { mails } = sent(Promise.resolve())
    await deliver('smtps://mail.example', ['ana@example.org', 'bob@example.org'])
    expect(mails).toMatchObject([
      {
        from: 'svc@example.org',
        to: ['ana@example.org', 'bob@example.org'],
        subject: 'Alarm: clock_differs',
        text: 'Alarm: clock_differs\n\nMeaning: The clocks of the service and the database differ.\nNext step: Synchronize both clocks. svc doctor --production\nService: travel\n',
        messageId: '<alarm.raised.1@svc.invalid>',
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      },
    ])
  })

  it.each([
    [{ responseCode: 550, code: 'EENVELOPE' }, 'status 550'],
    [{ code: 'ECONNREFUSED' }, 'no answer (ECONNREFUSED)'],
    [{ code: 'who is <ana>?' }, 'no answer (ERROR)'],
    [{}, 'no answer (ERROR)'],
  ])('that ends with %j is not delivered: %s', async (trouble, error) => {
    sent(Promise.reject(Object.assign(new Error('hunter2'), trouble)))
    expect(await deliver('smtps://mail.example')).toEqual({ ok: false, error })
  })
})

it.each<[string, string, string]>([
  ['0.255.255.255', '1.0.0.0', '1.0.0.1'],
  ['10.255.255.255', '11.0.0.0', '9.255.255.255'],
  ['100.64.0.0', '100.63.255.255', '100.128.0.0'],
  ['100.127.255.255', '100.63.0.0', '100.128.0.1'],
  ['127.255.255.255', '128.0.0.0', '126.255.255.255'],
  ['169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.15.255.255', '172.32.0.0'],
  ['172.31.255.255', '172.15.0.0', '172.32.0.1'],
  ['192.0.0.255', '192.0.1.0', '191.255.255.255'],
  ['192.0.2.255', '192.0.3.0', '192.0.1.255'],
  ['192.88.99.1', '192.88.98.255', '192.88.100.0'],
  ['192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.17.255.255', '198.20.0.0'],
  ['198.19.255.255', '198.17.0.0', '198.20.0.1'],
  ['198.51.100.255', '198.51.101.0', '198.51.99.255'],
  ['203.0.113.255', '203.0.114.0', '203.0.112.255'],
  ['224.0.0.1', '223.255.255.255', '223.0.0.0'],
  ['255.255.255.255', '223.1.1.1', '8.8.8.8'],
  ['2001::1', '2001:200::1', '2000::1'],
  ['2001:1ff::1', '2001:400::1', '2003::1'],
  ['2001:db8::1', '2001:db7::1', '2001:db9::1'],
  ['2002:c0a8:1::1', '2003::1', '2a00::1'],
  ['3fff:fff::1', '3ffe::1', '3fff:1000::1'],
  ['fd00::1', '2400::1', '2600::1'],
  ['::1', '2400::1', '2600::1'],
  ['::ffff:10.0.0.1', '2400::1', '2600::1'],
  ['fe80::1', '2400::1', '2600::1'],
  ['4000::1', '2400::1', '2600::1'],
])('%s is not public; %s and %s are', (one, before, after) => {
  expect([isPublicAddress(one), isPublicAddress(before), isPublicAddress(after)]).toEqual([false, true, true])
})
