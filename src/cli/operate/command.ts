import { Option, type Command } from 'commander'
import { TOKEN_STATES } from '../../protocol/operator.js'
import { serviceOptions } from '../shared/arguments/service-options.js'
import type { ConnectionOptions } from '../service/connection.js'
import type { ReasonOptions, TargetOptions, TokensOptions } from './run.js'

/** `svc operate`: what an operator of a running service reads and decides. */
export function registerOperate(program: Command): void {
  const operate = program
    .command('operate')
    .summary('revoke tokens, block callers, pause capabilities')
    .description(
      'List and revoke tokens of a running service, block callers and pause capabilities. Needs the role operator.',
    )
    .addHelpText('after', EXAMPLES)
  registerTokens(operate)
  registerBlocks(operate)
  registerPauses(operate)
}

const targets = (command: Command): Command =>
  command
    .option('--principal <principal>', 'tokens of this root principal, such as human:ana@example.com')
    .option('--subject <principal>', 'tokens held by this subject, such as agent:planner')
    .option('--api-key <id>', 'tokens requested with this API key')
    .option('--capability <name>', 'tokens for this capability only')

function registerTokens(operate: Command): void {
  targets(serviceOptions(operate.command('tokens')))
    .summary('list tokens')
    .description('List all tokens, or those that match every option.')
    .addOption(new Option('--state <state>', 'only those in this state').choices([...TOKEN_STATES]))
    .option('--cursor <id>', 'continue after this token')
    .action(async (options: TokensOptions) => {
      process.exitCode = await (await import('./run.js')).operateTokens(options)
    })
  targets(serviceOptions(operate.command('end')))
    .summary('revoke tokens by principal, subject, API key or capability')
    .description(
      'Revoke tokens and their child tokens. This also blocks the principal, subject or API key until lifted.',
    )
    .option('--token <id>', 'only this token')
    .requiredOption('--reason <text>', 'reason, recorded in the audit trail')
    .action(async (options: TargetOptions & ReasonOptions) => {
      process.exitCode = await (await import('./run.js')).operateEnd(options)
    })
  serviceOptions(operate.command('revoke-grant'))
    .summary('revoke the unused part of a grant')
    .description('Revoke the unused part of an approval grant, whoever approved it.')
    .argument('<id>', 'the grant, such as grt_1f3a')
    .requiredOption('--reason <text>', 'reason, recorded in the audit trail')
    .action(async (id: string, options: ReasonOptions) => {
      process.exitCode = await (await import('./run.js')).operateRevokeGrant(id, options)
    })
}

function registerBlocks(operate: Command): void {
  serviceOptions(operate.command('blocks'))
    .summary('list blocks, active and lifted')
    .description('List blocks, newest first, including lifted ones.')
    .action(async (options: ConnectionOptions) => {
      process.exitCode = await (await import('./run.js')).operateBlocks(options)
    })
  serviceOptions(operate.command('lift'))
    .summary('lift a block')
    .description('Lift a block. Revoked tokens stay revoked.')
    .argument('<id>', 'the block, such as blk_1f3a')
    .action(async (id: string, options: ConnectionOptions) => {
      process.exitCode = await (await import('./run.js')).operateLift(id, options)
    })
}

function registerPauses(operate: Command): void {
  serviceOptions(operate.command('paused'))
    .summary('list paused capabilities')
    .description('List paused capabilities, with the operator and the reason.')
    .action(async (options: ConnectionOptions) => {
      process.exitCode = await (await import('./run.js')).operatePaused(options)
    })
  for (const verb of ['pause', 'resume'] as const)
    serviceOptions(operate.command(verb))
      .summary(`${verb} a capability`)
      .description(DESCRIPTIONS[verb])
      .argument('<capability>', 'its name')
      .requiredOption('--reason <text>', 'reason, recorded in the audit trail')
      .action(async (name: string, options: ReasonOptions) => {
        process.exitCode = await (await import('./run.js'))[ACTIONS[verb]](name, options)
      })
}

const ACTIONS = { pause: 'operatePause', resume: 'operateResume' } as const

const DESCRIPTIONS = {
  pause: 'Refuse its calls with service_unavailable on every replica, until it is resumed.',
  resume: 'Accept its calls again.',
} as const

const EXAMPLES = `
Examples:
  SVC_TOKEN_FILE=~/.operator svc operate tokens --api-key ci --state live --url https://travel.example
  svc operate end --api-key ci --reason "The key leaked"
  svc operate lift blk_1f3a
  svc operate pause book_hotel --reason "The supplier is down"

The credential is read from SVC_TOKEN_FILE, SVC_TOKEN or the login there, the address from --url or SVC_URL.
Exit codes: 0 done, 1 the service refused, 2 usage or no answer, 3 internal error.
`
