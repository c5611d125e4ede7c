import type { Command } from 'commander'
import { serviceOptions } from '../shared/arguments/service-options.js'
import type { ShowEntryOptions, TrailOptions } from './trail.js'

/** `svc audit list`, `tail` and `show`: the trail of a running service. */
export function registerReadingTrail(audit: Command): void {
  filters(serviceOptions(audit.command('list')))
    .summary('list entries of a running service, newest first')
    .description('List the trail of your token, or of everybody with a credential of the role auditor.')
    .option('--cursor <cursor>', 'go on after this page')
    .action(async (options: TrailOptions) => {
      process.exitCode = await (await import('./trail.js')).listTrail(options)
    })
  filters(serviceOptions(audit.command('tail')))
    .summary('follow the trail of a running service')
    .description('Print the last entries, then each new one, until you interrupt it.')
    .action(async (options: TrailOptions) => {
      process.exitCode = await (await import('./tail-trail.js')).tailTrail(options)
    })
  serviceOptions(audit.command('show'))
    .summary('show the entry of an invocation')
    .description('Show the entry of an invocation; with --lineage, one line for each that it came from and caused.')
    .argument('<id>', 'the invocation, as inv-1f3a5c7e9b0d')
    .option('--lineage', 'the invocations above it, and its children')
    .action(async (id: string, options: ShowEntryOptions) => {
      process.exitCode = await (await import('./trail.js')).showEntry(id, options)
    })
}

const filters = (command: Command): Command =>
  command
    .option('--since <time>', 'only entries after this time, as 24h, 30m, 7d or 2030-05-01T12:00:00Z')
    .option('--actor <principal>', 'only what this principal did; for auditors')
    .option('--capability <name>', 'only this capability')
    .option('--failed', 'only what failed')
