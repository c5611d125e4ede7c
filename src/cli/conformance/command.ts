import type { Command } from 'commander'
import type { ConformanceOptions } from './run.js'

/** `svc conformance`: asks a running service whether it keeps the interface document. */
export function registerConformance(program: Command): void {
  program
    .command('conformance')
    .summary('test a service against the interface')
    .description('Run the conformance suite against a service over HTTP, and print the results by section.')
    .argument('<url>', 'the base address of the service, such as http://127.0.0.1:4100')
    .option('--key <key>', 'a credential, best entitled to every minimum scope (default: $SVC_DEVELOPER_KEY)')
    .option('--approver-key <key>', 'a credential that may approve (default: $SVC_APPROVER_KEY)')
    .option('--agent-key <key>', 'a credential of an agent (default: $SVC_AGENT_KEY)')
    .option('--samples <file>', 'valid inputs, as YAML or JSON: capability -> input -> value')
    .option('--strict', 'also fail if a case does not apply, or is not tried')
    .option('--json', 'print the results as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (url: string, options: ConformanceOptions) => {
      const { conformance } = await import('./run.js')
      const { inProgress } = await import('../shared/output/in-progress.js')
      process.exitCode = await inProgress('testing the service', () => conformance(url, options, process.env))
    })
}

const EXAMPLES = `
Examples:
  . ./.env; export SVC_DEVELOPER_KEY SVC_APPROVER_KEY SVC_AGENT_KEY
  svc conformance http://127.0.0.1:4100
  svc conformance http://127.0.0.1:4100 --samples samples.yaml
  svc conformance https://service.example --key "$KEY" --json

A case that a credential or a sample is missing for is not tried; the reason is printed.
The suite waits as long as a rate limit asks for, and withdraws the approvals that it asked for.
The suite issues tokens and invokes capabilities with sample inputs: run it against a service of your own, never in production.

Exit codes: 0 no case fails (with --strict: all pass), 1 some do, 2 usage or no service, 3 internal error.
`
