import { parsedAddress } from '../../../protocol/address.js'
import { settledWithin } from '../../errors/settled-within.js'
import { isLoopbackHost } from '../../net/loopback.js'
import { FOR_PEOPLE, messageOf } from './message.js'
import { nameProblems, type Delivered, type NotifyTarget, type NotifyOptions } from './target.js'

export interface EmailOptions extends NotifyOptions {
  /** `smtps://user:password@host` or, with STARTTLS, `smtp://user:password@host:587`. It is a secret. */
  readonly smtp: string
  readonly from: string
  readonly to: string | readonly string[]
}

const WITHIN_MS = 20_000

/**
 * Sends an e-mail of plain text through an SMTP server, by the package nodemailer, which you install: what waits for a
 * decision and what went wrong, unless `events` says otherwise (decisions, section 13).
 */
export function email({ name, smtp, from, to, events = FOR_PEOPLE }: EmailOptions): NotifyTarget {
  const server = serverOf(smtp)
  const problems = [
    ...nameProblems(name),
    ...(server === undefined ? ['Its smtp must be an address as smtps://user:password@mail.example.'] : []),
    ...(isInstalled() ? [] : ['E-mail needs the package nodemailer. Install it: npm install nodemailer']),
  ]
  return {
    name,
    events,
    problems,
    async deliver({ event }, signal): Promise<Delivered> {
      const { headline, lines, link } = messageOf(event)
      const text = [headline, '', ...lines, ...(link === undefined ? [] : ['', `Decide: ${link}`]), ''].join('\n')
      const { createTransport } = (await import('nodemailer')).default
      const transport = createTransport({ ...server, ...BOUNDS })
      const sent = transport
        .sendMail({
          from,
          to: [to].flat(),
          subject: headline,
          text,
          messageId: messageIdOf(event.id),
          headers: AUTOMATIC,
        })
        .then((): Delivered => ({ ok: true }), failed)
      const stop = () => transport.close()
      signal.addEventListener('abort', stop, { once: true })
      const ended = await settledWithin(sent, WITHIN_MS)
      signal.removeEventListener('abort', stop)
      transport.close()
      return ended ?? { ok: false, error: `no answer within ${WITHIN_MS / 1000} s` }
    },
  }
}

/** No answer to an absence or a list (RFC 3834). */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

const BOUNDS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 10_000,
  disableFileAccess: true,
  disableUrlAccess: true,
} as const

/** Returns a stable message id, by which a mailbox recognizes a message sent twice. */
const messageIdOf = (id: string): string => `<${id.replaceAll(/[^\w.-]/gu, '-')}@svc.invalid>`

/** The server, spoken to over TLS unless it is on this machine. */
function serverOf(smtp: string) {
  const url = parsedAddress(smtp)
  if (url === undefined || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') return undefined
  const secure = url.protocol === 'smtps:'
  const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
  return {
    host: url.hostname.replaceAll(/^\[|\]$/gu, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && !isLoopbackHost(url.hostname),
    ...(url.username !== '' && { auth }),
  }
}

function isInstalled(): boolean {
  try {
    return import.meta.resolve('nodemailer') !== ''
  } catch {
    return false
  }
}

/** A code of SMTP or of the connection; what the server wrote may name people. */
function failed({ code, responseCode }: { readonly code?: unknown; readonly responseCode?: unknown }): Delivered {
  if (typeof responseCode === 'number') return { ok: false, error: `status ${responseCode}` }
  return {
    ok: false,
    error: `no answer (${typeof code === 'string' && /^[A-Z0-9_]{1,60}$/u.test(code) ? code : 'ERROR'})`,
  }
}
