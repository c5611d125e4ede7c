import { addressProblems, postTo } from '../post.js'
import { FOR_PEOPLE, messageOf, type PlainMessage } from './message.js'
import { nameProblems, type NotifyTarget, type NotifyOptions } from './target.js'

export interface SlackOptions extends NotifyOptions {
  /** The address of an incoming webhook. It is a secret: whoever has it writes to the channel. */
  readonly url: string
}

/**
 * Writes a message to a Slack channel, or to whatever takes Slack's incoming webhooks: what waits for a decision and
 * what went wrong, unless `events` says otherwise (decisions, section 13).
 */
export function slack({ name, url, events = FOR_PEOPLE }: SlackOptions): NotifyTarget {
  const problems = [...nameProblems(name), ...addressProblems(url)]
  const post = problems.length > 0 ? undefined : postTo({ url, allowPrivate: false })
  return {
    name,
    events,
    problems,
    deliver: ({ event }, signal) =>
      post!({ 'content-type': 'application/json' }, JSON.stringify(slackMessageOf(messageOf(event))), signal),
  }
}

/** Plain text, in which no name becomes a link or a mention; the one link is a button. */
export function slackMessageOf({ headline, lines, link }: PlainMessage): object {
  const text = [headline, ...lines].join('\n')
  const button = { type: 'button', text: { type: 'plain_text', text: 'Decide' }, url: link }
  return {
    text: escaped(headline),
    blocks: [
      { type: 'section', text: { type: 'plain_text', text, emoji: false } },
      ...(link === undefined ? [] : [{ type: 'actions', elements: [button] }]),
    ],
  }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
