import type { Command } from 'commander'
import type { AddOptions } from './add.js'
import type { KeyAuthorityOptions } from './authority.js'
import type { FileOption } from './file.js'

/** `svc apikeys`: who may ask a service for tokens. */
export function registerApiKeys(program: Command): void {
  const keys = program
    .command('apikeys')
    .summary('manage API keys')
    .description(
      'Manage the API key file: SHA-256 of keys, principals, scopes, roles. A running service reads it every ten seconds.',
    )
    .addHelpText('after', EXAMPLES)
  const file = (command: Command) =>
    command.option('--file <file>', 'the API key file (default: $SVC_API_KEYS, or api-keys.json)')
  file(keys.command('add'))
    .description('Create a key and print it once. The file stores its hash.')
    .argument('<principal>', 'owner of the key, such as human:ana@example.com, agent:desk or service:billing')
    .option('--id <id>', 'the id of the key in the trail (default: the principal and a number)')
    .option(
      '--scope <scope>',
      'a scope that it may ask for; may be repeated (default: every minimum_scope of svc.yaml)',
      collect,
    )
    .option('--no-scopes', 'no scope: for an agent that uses delegated tokens')
    .option('--role <role>', 'auditor, operator or metrics; may be repeated', collect)
    .option('--caller-class <class>', 'a caller class that the key may name; may be repeated', collect)
    .option(
      '--expires <time>',
      'when it expires: a time such as 2030-01-01T00:00:00Z, or a duration from now such as P90D',
    )
    .action(async (principal: string, options: AddOptions) => {
      process.exitCode = await (await import('./add.js')).add(principal, options)
    })
  file(keys.command('list'))
    .description('List the keys with principal, scopes and times. The keys themselves are not stored.')
    .action(async (options: FileOption) => {
      process.exitCode = await (await import('./list.js')).listApiKeys(options)
    })
  file(keys.command('change'))
    .description('Replace the scopes and roles of a key.')
    .argument('<id>', 'the key')
    .option('--scope <scope>', 'a scope that the key may request; may be repeated', collect)
    .option('--no-scopes', 'no scope')
    .option('--role <role>', 'auditor, operator or metrics; may be repeated', collect)
    .action(async (id: string, options: FileOption & KeyAuthorityOptions) => {
      process.exitCode = await (await import('./end.js')).changeApiKey(id, options)
    })
  file(keys.command('revoke'))
    .description('Revoke a key at once. Its entry stays, so that the audit trail stays readable.')
    .argument('<id>', 'the key')
    .action(async (id: string, options: FileOption) => {
      process.exitCode = await (await import('./end.js')).revokeApiKey(id, options)
    })
  file(keys.command('expire'))
    .description('Set the time at which a key expires.')
    .argument('<id>', 'the key')
    .argument('<time>', 'a time such as 2030-01-01T00:00:00Z, or a duration from now such as P90D')
    .action(async (id: string, time: string, options: FileOption) => {
      process.exitCode = await (await import('./end.js')).expire(id, time, options)
    })
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

const EXAMPLES = `
Examples:
  svc apikeys add human:ana@example.com --expires P90D
  svc apikeys add agent:desk --no-scopes
  svc apikeys add human:ben@example.com --scope approver:book_flight
  svc apikeys add human:olga@example.com --role operator --role auditor
  svc apikeys change human:ana@example.com-1 --scope travel.search
  svc apikeys list
  svc apikeys revoke human:ana@example.com-1

A revoked or expired key gets no more tokens, and those that it bought end as soon as a running service has read the file.

Exit codes: 0 done, 2 usage or input, 3 internal error.
`
