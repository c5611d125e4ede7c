import type { Command } from 'commander'
import type { AddOptions } from './apikeys/add.js'
import type { FileOption } from './apikeys/file.js'

/** `svc apikeys`: who may ask a service for tokens. */
export function registerApiKeys(program: Command): void {
  const keys = program
    .command('apikeys')
    .summary('add, list, revoke and expire API keys')
    .description('Manage the API key file: SHA-256 of keys, principals, scopes. A running service reads it every ten seconds.')
    .addHelpText('after', EXAMPLES)
  const file = (command: Command) => command.option('--file <file>', 'the API key file (default: $SVC_API_KEYS, or api-keys.json)')
  file(keys.command('add'))
    .description('Make a key and print it, once; the file gets its hash.')
    .argument('<principal>', 'whose it is, such as human:ana@example.com, agent:desk or service:billing')
    .option('--id <id>', 'what the trail calls the key (default: the principal and a number)')
    .option('--scope <scope>', 'a scope that it may ask for; may be given several times (default: every minimum_scope)', collect)
    .option('--no-scopes', 'no scope at all: for an agent, which gets what it is delegated')
    .option('--caller-class <class>', 'a caller class that it may name; may be given several times', collect)
    .option('--expires <time>', 'when it ends: a time such as 2030-01-01T00:00:00Z, or a duration from now such as P90D')
    .action(async (principal: string, options: AddOptions) => {
      process.exitCode = await (await import('./apikeys/add.js')).add(principal, options)
    })
  file(keys.command('list'))
    .description('Show the keys. They themselves are nowhere.')
    .action(async (options: FileOption) => {
      process.exitCode = await (await import('./apikeys/list.js')).list(options)
    })
  file(keys.command('revoke'))
    .description('End a key at once. It stays in the file, so that the trail can be read.')
    .argument('<id>', 'the key')
    .action(async (id: string, options: FileOption) => {
      process.exitCode = await (await import('./apikeys/end.js')).revoke(id, options)
    })
  file(keys.command('expire'))
    .description('Say when a key ends.')
    .argument('<id>', 'the key')
    .argument('<time>', 'a time such as 2030-01-01T00:00:00Z, or a duration from now such as P90D')
    .action(async (id: string, time: string, options: FileOption) => {
      process.exitCode = await (await import('./apikeys/end.js')).expire(id, time, options)
    })
} // prettier-ignore

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

const EXAMPLES = `
Examples:
  svc apikeys add human:ana@example.com --expires P90D
  svc apikeys add agent:desk --no-scopes
  svc apikeys add human:ben@example.com --scope approver:book_flight
  svc apikeys list
  svc apikeys revoke human:ana@example.com-1

A key that ends buys no more tokens; tokens that it bought before live to their own end, unless they are revoked.

Exit codes: 0 done, 2 usage or input, 3 internal error.
`
