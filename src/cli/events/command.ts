import { Option, type Command } from 'commander'
import { DELIVERY_STATES, EVENT_TYPES } from '../../protocol/events.js'
import { serviceOptions } from '../shared/arguments/service-options.js'
import type { EventListOptions, ResendOptions } from './run.js'

/** `svc events`: what a running service reports to others, and what became of it. */
export function registerEvents(program: Command): void {
  const events = program
    .command('events')
    .summary('list and resend events')
    .description(
      'List what a running service reports to webhooks, Slack and mailboxes, with a credential of the role operator.',
    )
    .addHelpText('after', EXAMPLES)
  serviceOptions(events.command('list'))
    .summary('list events, newest first')
    .description('List events and their delivery to each target. Dead events are no longer retried.')
    .addOption(new Option('--state <state>', 'only those in this state').choices([...DELIVERY_STATES]))
    .addOption(new Option('--type <type>', 'only events of this type').choices([...EVENT_TYPES]))
    .option('--target <name>', 'only events for this notify target')
    .option('--cursor <cursor>', 'continue after this page')
    .action(async (options: EventListOptions) => {
      process.exitCode = await (await import('./run.js')).listEvents(options)
    })
  serviceOptions(events.command('resend'))
    .summary('resend an event')
    .description('Resend an event, with the same id, to all of its targets or to one.')
    .argument('<id>', 'the event')
    .option('--target <name>', 'only to this notify target')
    .requiredOption('--reason <text>', 'reason, recorded in the audit trail')
    .action(async (id: string, options: ResendOptions) => {
      process.exitCode = await (await import('./run.js')).resendEvent(id, options)
    })
}

const EXAMPLES = `
Examples:
  SVC_TOKEN_FILE=~/.operator svc events list --state dead --url https://travel.example
  svc events resend approval.requested.apr_1f3a --target ops --reason "The receiver was down"

The credential is read from SVC_TOKEN_FILE, SVC_TOKEN or the login there, the address from --url or SVC_URL.
Exit codes: 0 done, 1 the service refused, 2 usage or no answer, 3 internal error.
`
