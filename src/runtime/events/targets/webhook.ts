import { createHmac } from 'node:crypto'
import { EVENT_TYPES } from '../../../protocol/events.js'
import type { Resolve } from '../../net/judged-lookup.js'
import { decodeBase64 } from '../../../crypto/json/base64url.js'
import { isSecret } from '../../keys/secret.js'
import { addressProblems, postTo } from '../post.js'
import { nameProblems, type NotifyTarget, type NotifyOptions } from './target.js'

export interface WebhookOptions extends NotifyOptions {
  /** https, or http on a loopback address. Redirects are not followed. */
  readonly url: string
  /** `whsec_` and base64 of 24 to 64 random bytes. While a secret is replaced, the new one and the old one: both sign. */
  readonly secret: string | readonly string[]
  /** True to allow addresses in a private network; false if absent. */
  readonly allowPrivate?: boolean
  /** Answers with the addresses of a name; the system's resolver by default. */
  readonly resolve?: Resolve
}

/**
 * Sends each event as a CloudEvent, signed by Standard Webhooks: the receiver checks the signature over id, time and
 * body, refuses what is older than five minutes, and acts once for each id (decisions, section 13; threat N23).
 *
 * @example
 * notify: [webhook({ name: 'ops', url: 'https://hooks.example/svc', secret: SVC_WEBHOOK_SECRET })]
 */
export function webhook({ name, url, secret, events = EVENT_TYPES, ...rest }: WebhookOptions): NotifyTarget {
  const keys = [secret].flat().map(keyOf)
  const problems = [
    ...nameProblems(name),
    ...addressProblems(url),
    ...(keys.length > 0 && keys.every((key) => key.length >= 24 && key.length <= 64) ? [] : [SECRET]),
  ]
  const post =
    problems.length > 0 ? undefined : postTo({ url, allowPrivate: rest.allowPrivate === true, resolve: rest.resolve })
  return {
    name,
    events,
    problems,
    async deliver({ event: { id }, body, now }, signal) {
      const at = String(Math.floor(now / 1000))
      const signature = keys.map((key) => signatureOf(key, `${id}.${at}.${body}`)).join(' ')
      const signed = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature }
      return post!({ ...signed, 'content-type': 'application/cloudevents+json; charset=utf-8' }, body, signal)
    },
  }
}

const SECRET =
  'Its secret must be whsec_ and base64 of 24 to 64 bytes that were made at random: echo whsec_$(openssl rand -base64 32)'

/** No bytes for what is no such secret. */
function keyOf(secret: string): Buffer {
  const text = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : ''
  return Buffer.from((isSecret(text) ? decodeBase64(text) : undefined) ?? [])
}

const signatureOf = (key: Buffer, text: string): string =>
  `v1,${createHmac('sha256', key).update(text).digest('base64')}`
