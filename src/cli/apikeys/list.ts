import type { ApiKey } from '../../runtime/credentials/api-keys.js'
import { EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { say } from '../shared/output/say.js'
import { printable } from '../shared/output/printable.js'
import { keyEntriesOf, fileOf, type FileOption } from './file.js'
import { printOut } from '../shared/output/print.js'
import { shellWord } from '../../protocol/shell.js'

/** Shows the keys: id, principal, state, scopes. */
export async function listApiKeys(options: FileOption, now = Date.now()): Promise<ExitCode> {
  const file = fileOf(options)
  const keys = await keyEntriesOf(file)
  const rows = keys.map((key) => [key.id, key.principal, stateOf(key, now), authorityOf(key)].map(printable))
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  for (const row of rows)
    printOut(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
  if (keys.length === 0) say(`${file} holds no keys. Make one with: svc apikeys add human:ana@example.com`)
  return EXIT.ok
}

function stateOf({ revoked, expires_at }: ApiKey, now: number): string {
  if (revoked === true) return 'revoked'
  if (expires_at === undefined) return 'valid'
  return Date.parse(expires_at) <= now ? `expired at ${expires_at}` : `valid until ${expires_at}`
}

function authorityOf({ id, scopes, roles = [], development }: ApiKey): string {
  if (scopes === undefined && roles.length === 0)
    return `no bound: run svc apikeys change ${shellWord(id)} --scope <scope>`
  const shown = [...(scopes ?? []), ...roles.map((role) => `role ${role}`)]
  return `${shown.join(', ') || 'no scope'}${development === true ? ' (development)' : ''}`
}
