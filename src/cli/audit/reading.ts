import type { Command } from 'commander'
import { serviceOptions } from '../shared/arguments/service-options.js'
import type { ShowEntryOptions, TrailOptions } from './trail.js'

/** `svc audit list`, `tail` and `show`: the trail of a running service. */
export function registerReadingTrail(audit: Command): void {
  filters(serviceOptions(audit.command('list')))
    .summary('list entries of a running service, newest first')
    .description('List audit entries: those of your token, or all of them with the role auditor.')
    .option('--cursor <cursor>', 'continue after this page')
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
    .description('Show the entry of an invocation. With --lineage, also list its parents and children.')
    .argument('<id>', 'the invocation, such as inv-1f3a5c7e9b0d')
    .option('--lineage', 'also list its parent and child invocations')
    .action(async (id: string, options: ShowEntryOptions) => {
      process.exitCode = await (await import('./trail.js')).showEntry(id, options)
    })
}

const filters = (command: Command): Command =>
  command
    .option('--since <time>', 'only entries after this time, such as 24h, 30m, 7d or 2030-05-01T12:00:00Z')
    .option('--actor <principal>', 'only entries of this actor; for auditors')
    .option('--capability <name>', 'only this capability')
    .option('--failed', 'only failed calls')
