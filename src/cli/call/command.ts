import type { Command } from 'commander'
import type { CallCommandOptions } from './run.js'
import { serviceOptions } from '../shared/arguments/service-options.js'

/** `svc call`: one capability of a running service. */
export function registerCall(program: Command): void {
  serviceOptions(program.command('call'))
    .summary('call a capability')
    .description('Call a capability and print its result, including refusals, as an agent would get it.')
    .argument('<capability>', 'the capability')
    .argument('[inputs...]', 'name=value as the input takes it, name:=JSON, or @file of a JSON object')
    .option('--wait-approval', 'wait for the decision, then continue', false)
    .option('--stream', 'print the progress of the call, then its result', false)
    .option('--task <id>', 'task of the call')
    .option('--idempotency-key <key>', 'repeat safely: the same key and inputs have one effect')
    .addHelpText('after', EXAMPLES)
    .action(async (capability: string, inputs: readonly string[], options: CallCommandOptions) => {
      process.exitCode = await (await import('./run.js')).callCapability(capability, inputs, options)
    })
}

const EXAMPLES = `
Examples:
  SVC_TOKEN_FILE=agent.token svc call search_flights origin=LIS destination=BER date=2030-05-01
  svc call search_flights @trip.json date=2030-05-01
  svc call book_flight quote_id=qt_1f3a passengers:=2 --wait-approval
  svc call plan_trip city=Faro --stream --json   one JSON object a line, the last of which is the result

The credential is read from SVC_TOKEN_FILE, SVC_TOKEN or the login there, the address from --url or SVC_URL.
Exit codes: 0 done, 1 the service refused, 2 usage or no answer, 3 internal error, 4 it needs an approval.
`
