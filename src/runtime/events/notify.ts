/** Targets for a service's events (`svc-kit/notify`): items for `notify` of `createService`. */
export { webhook, type WebhookOptions } from './targets/webhook.js'
export { slack, type SlackOptions } from './targets/slack.js'
export { email, type EmailOptions } from './targets/email.js'
export type { NotifyTarget } from './targets/target.js'
export type { EventData, EventType, ServiceEvent } from '../../protocol/events.js'
