import type { Command } from 'commander'

/** The options of every command that asks a running service. */
export const serviceOptions = (command: Command): Command =>
  command
    .option('--url <address>', 'the service (default: $SVC_URL, or http://127.0.0.1:4100)')
    .option('--json', 'print the response of the service as JSON')
