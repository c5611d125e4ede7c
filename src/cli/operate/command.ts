import { Option, type Command } from 'commander'
import { TOKEN_STATES } from '../../protocol/operator.js'
import { serviceOptions } from '../shared/arguments/service-options.js'
import type { ConnectionOptions } from '../service/connection.js'
import type { ReasonOptions, TargetOptions, TokensOptions } from './run.js'

/** `svc operate`: what an operator of a running service reads and decides. */
export function registerOperate(program: Command): void {
  const operate = program
    .command('operate')
    .summary('end tokens, block who buys them, pause capabilities')
    .description('Find and end tokens of a running service, block and pause, with a credential of the role operator.')
    .addHelpText('after', EXAMPLES)
  registerTokens(operate)
  registerBlocks(operate)
  registerPauses(operate)
}

const targets = (command: Command): Command =>
  command
    .option('--principal <principal>', 'bought by this principal, as human:ana@example.com')
    .option('--subject <principal>', 'held by this one, as agent:planner')
    .option('--api-key <id>', 'bought by this API key')
    .option('--capability <name>', 'for this capability alone')

function registerTokens(operate: Command): void {
  targets(serviceOptions(operate.command('tokens')))
    .summary('list tokens')
    .description('List the tokens of everybody, or those that meet all options.')
    .addOption(new Option('--state <state>', 'only those in this state').choices([...TOKEN_STATES]))
    .option('--cursor <id>', 'go on after this token')
    .action(async (options: TokensOptions) => {
      process.exitCode = await (await import('./run.js')).operateTokens(options)
    })
  targets(serviceOptions(operate.command('end')))
    .summary('end all tokens of a principal, a subject, an API key or a capability')
    .description(
      'End tokens and all below them. A principal, a subject or an API key is blocked with it, until lifted.',
    )
    .option('--token <id>', 'this token alone')
    .requiredOption('--reason <text>', 'why; the trail keeps it')
    .action(async (options: TargetOptions & ReasonOptions) => {
      process.exitCode = await (await import('./run.js')).operateEnd(options)
    })
  serviceOptions(operate.command('revoke-grant'))
    .summary('take back what is left of a grant')
    .description('Take back what is left of an approval grant, whoever gave it.')
    .argument('<id>', 'the grant, as grt_1f3a')
    .requiredOption('--reason <text>', 'why; the trail keeps it')
    .action(async (id: string, options: ReasonOptions) => {
      process.exitCode = await (await import('./run.js')).operateRevokeGrant(id, options)
    })
}

function registerBlocks(operate: Command): void {
  serviceOptions(operate.command('blocks'))
    .summary('list who is and was blocked')
    .description('List blocks, newest first; those that were lifted, too.')
    .action(async (options: ConnectionOptions) => {
      process.exitCode = await (await import('./run.js')).operateBlocks(options)
    })
  serviceOptions(operate.command('lift'))
    .summary('lift a block')
    .description('Lift a block. Tokens that were ended stay ended.')
    .argument('<id>', 'the block, as blk_1f3a')
    .action(async (id: string, options: ConnectionOptions) => {
      process.exitCode = await (await import('./run.js')).operateLift(id, options)
    })
}

function registerPauses(operate: Command): void {
  serviceOptions(operate.command('paused'))
    .summary('list paused capabilities')
    .description('List the capabilities that are paused, by whom and why.')
    .action(async (options: ConnectionOptions) => {
      process.exitCode = await (await import('./run.js')).operatePaused(options)
    })
  for (const verb of ['pause', 'resume'] as const)
    serviceOptions(operate.command(verb))
      .summary(`${verb} a capability`)
      .description(DESCRIPTIONS[verb])
      .argument('<capability>', 'its name')
      .requiredOption('--reason <text>', 'why; the trail keeps it')
      .action(async (name: string, options: ReasonOptions) => {
        process.exitCode = await (await import('./run.js'))[ACTIONS[verb]](name, options)
      })
}

const ACTIONS = { pause: 'operatePause', resume: 'operateResume' } as const

const DESCRIPTIONS = {
  pause: 'Answer its calls with service_unavailable until it is resumed, on every replica.',
  resume: 'Answer its calls again.',
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
