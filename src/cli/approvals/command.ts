import { Option, type Command } from 'commander'
import type { DecideOptions, ApprovalListOptions } from './run.js'
import type { ConnectionOptions } from '../service/connection.js'
import { serviceOptions } from '../shared/arguments/service-options.js'
import type { WatchOptions } from './watch.js'

/** `svc approvals`: what waits for a decision, and the decisions. */
export function registerApprovals(program: Command): void {
  const approvals = program
    .command('approvals')
    .summary('list, approve and deny requests')
    .description('List, read and decide the approval requests of a running service.')
    .addHelpText('after', EXAMPLES)
  registerReading(approvals)
  registerDeciding(approvals)
}

function registerReading(approvals: Command): void {
  serviceOptions(approvals.command('list'))
    .summary('list requests, pending ones by default')
    .description('List the requests that you may decide, and those that your principal opened.')
    .addOption(new Option('--status <status>', 'only requests in this state, or all').default('pending'))
    .option('--capability <name>', 'only requests for this capability')
    .action(async (options: ApprovalListOptions) => {
      process.exitCode = await (await import('./run.js')).listApprovals(options)
    })
  serviceOptions(approvals.command('watch'))
    .summary('print requests as they open and are decided')
    .description('Print pending requests, then each new request and each decision, until you interrupt it.')
    .option('--capability <name>', 'only requests for this capability')
    .action(async (options: WatchOptions) => {
      process.exitCode = await (await import('./watch.js')).watchApprovals(options)
    })
  serviceOptions(approvals.command('show'))
    .summary('show a request')
    .description('Show the call, its effect and cost, on whose behalf it runs, and when the request expires.')
    .argument('<id>', 'the approval request')
    .action(async (id: string, options: ConnectionOptions) => {
      process.exitCode = await (await import('./run.js')).showApproval(id, options)
    })
}

function registerDeciding(approvals: Command): void {
  serviceOptions(approvals.command('approve'))
    .summary('approve a request')
    .description('Approve exactly this call, once. With --session, approve repeated calls in the session.')
    .argument('<id>', 'the approval request')
    .option('--reason <text>', 'reason, shown to the requester')
    .option('--session <id>', 'approve for this session, as often as the policy allows')
    .option('--uses <count>', 'most calls of the session')
    .option('--expires-in <seconds>', 'lifetime of the grant, within the policy')
    .action(async (id: string, options: DecideOptions) => {
      process.exitCode = await (await import('./run.js')).approve(id, options)
    })
  serviceOptions(approvals.command('deny'))
    .summary('deny a request')
    .description('Deny a request. The same call stays denied for a while.')
    .argument('<id>', 'the approval request')
    .option('--reason <text>', 'reason, shown to the requester')
    .action(async (id: string, options: DecideOptions) => {
      process.exitCode = await (await import('./run.js')).deny(id, options)
    })
  serviceOptions(approvals.command('send-back'))
    .summary('send a request back with a question')
    .description('Send a request back with a question. The same call is answered once with it, then may ask again.')
    .argument('<id>', 'the approval request')
    .requiredOption('--reason <text>', 'the question, shown to the requester')
    .action(async (id: string, options: DecideOptions) => {
      process.exitCode = await (await import('./run.js')).sendBack(id, options)
    })
  serviceOptions(approvals.command('withdraw'))
    .summary('withdraw a request of your own')
    .description('Withdraw a request of your own, or the unused part of its grant.')
    .argument('<id>', 'the approval request')
    .action(async (id: string, options: ConnectionOptions) => {
      process.exitCode = await (await import('./run.js')).withdraw(id, options)
    })
}

const EXAMPLES = `
Examples:
  SVC_TOKEN_FILE=~/.approver svc approvals list --url https://travel.example
  svc approvals watch --capability book_flight
  svc approvals show apr_1f3a
  svc approvals approve apr_1f3a --reason "Agreed with finance"
  svc approvals deny apr_1f3a --reason "Too expensive"
  svc approvals send-back apr_1f3a --reason "Which cost centre?"

The credential is read from SVC_TOKEN_FILE, SVC_TOKEN or the login there, the address from --url or SVC_URL.
Exit codes: 0 done, 1 the service refused, 2 usage or no answer, 3 internal error.
`
