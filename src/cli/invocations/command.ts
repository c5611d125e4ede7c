import type { Command } from 'commander'
import { serviceOptions } from '../shared/arguments/service-options.js'
import type { ResolveOptions } from './run.js'

/** `svc invocations`: what an operator of a running service settles. */
export function registerInvocations(program: Command): void {
  const invocations = program
    .command('invocations')
    .summary('settle unknown outcomes')
    .description('Settle invocations whose outcome is unknown, with a credential of the role operator.')
    .addHelpText('after', EXAMPLES)
  serviceOptions(invocations.command('resolve'))
    .summary('record whether an effect happened, and its cost')
    .description(
      'Record, once, whether the effect of an invocation happened. The unspent amount returns to its budgets.',
    )
    .argument('<id>', 'the invocation, such as inv-0123456789ab')
    .option('--happened [amount]', 'it happened, at this cost; without an amount, at the reserved cost')
    .option('--did-not', 'it did not happen')
    .requiredOption('--reason <text>', 'how you know; recorded in the audit trail')
    .action(async (id: string, options: ResolveOptions) => {
      process.exitCode = await (await import('./run.js')).sayWhatHappened(id, options)
    })
}

const EXAMPLES = `
Examples:
  svc audit list --failed --since 24h
  svc invocations resolve inv-0123456789ab --happened 240.50 --reason "The supplier shows booking B-17"
  svc invocations resolve inv-0123456789ab --did-not --reason "The supplier has no such booking"

The credential is read from SVC_TOKEN_FILE, SVC_TOKEN or the login there, the address from --url or SVC_URL.
Exit codes: 0 done, 1 the service refused, 2 usage or no answer, 3 internal error.
`
