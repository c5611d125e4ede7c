import { createWriteStream, existsSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { jwksOf, signerFor } from '../../crypto/keys/key-ring.js'
import { ErasureNotCovered, exportLines } from '../../runtime/checkpoints/export.js'
import { readKeyRing } from '../../runtime/keys/key-directory.js'
import { DamagedRow } from '../../runtime/storage/sql/columns.js'
import { say } from '../shared/output/say.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { directoryOf } from '../keys/directory.js'
import { explained } from '../shared/errors/explained.js'
import { openDatabase } from './storage.js'

export interface ExportOptions {
  readonly database?: string
  readonly keys?: string
  readonly service?: string
  readonly from: string
  readonly out: string
}

/** Writes the trail under the last checkpoint. A file appears under its name only when it is whole. */
export async function exportTrail(options: ExportOptions): Promise<ExitCode> {
  const now = Date.now()
  const from = /^[1-9]\d{0,14}$/u.test(options.from) ? Number(options.from) : undefined
  if (from === undefined) throw new CliError(`--from ${options.from} is not the sequence of an entry; the first is 1.`)
  const serviceId = options.service ?? (await serviceIdHere(now))
  const ring = await explained(
    readKeyRing(directoryOf(options.keys === undefined ? {} : { dir: options.keys }), () => now),
  )
  const signer = await explained((async () => signerFor(ring, 'audit'))())
  const { keys } = jwksOf({ keys: ring.keys.filter(({ role }) => role === 'audit') }, now)
  const storage = await openDatabase(options.database)
  try {
    const lines = exportLines({ storage, signer, keys, serviceId, exportedAt: new Date(now).toISOString(), from })
    const count = await write(lines, options.out).catch(explainDamage)
    if (count === 0)
      throw new CliError(`No checkpoint covers entry ${from} yet; there is nothing to prove.`, EXIT.findings)
    await report(options, count, storage)
  } finally {
    await storage.close()
  }
  return EXIT.ok
}

/** A trail that was edited behind the service's back is a finding, not a fault of the command. */
function explainDamage(error: unknown): never {
  if (error instanceof ErasureNotCovered)
    throw new CliError(`${error.message} Export again when the service has made it.`, EXIT.findings)
  if (!(error instanceof DamagedRow)) throw error
  throw new CliError(
    `The trail in the database is damaged. ${error.message} Keep the database as evidence, and export from a backup.`,
    EXIT.findings,
  )
}

async function report(
  { out, from }: ExportOptions,
  count: number,
  storage: Awaited<ReturnType<typeof openDatabase>>,
): Promise<void> {
  const covered = (await storage.checkpoints.latest())?.entry_count ?? 0
  const uncovered = (await storage.audit.size()) - covered
  say(`exported the entries ${from} to ${covered} in ${count} lines${out === '-' ? '' : ` to ${out}`}`)
  if (uncovered > 0) say(`${uncovered} newer entries wait for the next checkpoint and are left out`)
}

async function serviceIdHere(now: number): Promise<string> {
  if (!existsSync('svc.yaml'))
    throw new CliError('Name the service: --service <id>, or run this in the folder of its svc.yaml.')
  const { checkedManifest } = await import('../build/inputs.js')
  return (await checkedManifest('svc.yaml', now, { errorsTo: process.stderr })).manifest.service_identity.id
}

async function write(lines: AsyncIterable<string>, out: string): Promise<number> {
  const counted = { lines: 0 }
  if (out === '-')
    await pipeline(() => counting(lines, counted), process.stdout, { end: false }).catch(unlessReaderLeft)
  else await writeFile(() => counting(lines, counted), out)
  return counted.lines
}

/** Removes an incomplete file; never replaces a device or a folder. */
async function writeFile(lines: () => AsyncIterable<string>, out: string): Promise<void> {
  if (statSync(out, { throwIfNoEntry: false })?.isFile() === false)
    throw new CliError(`${out} is not a file. Name a file, or \`-\` for standard output.`)
  const draft = `${out}.svc-tmp`
  try {
    await rm(draft, { force: true })
    await pipeline(lines, createWriteStream(draft, { flags: 'wx', mode: 0o600 }))
    if (statSync(draft).size > 0) await rename(draft, out)
  } finally {
    await rm(draft, { force: true })
  }
}

async function* counting(lines: AsyncIterable<string>, counted: { lines: number }): AsyncGenerator<string> {
  for await (const line of lines) {
    counted.lines++
    yield line
  }
}

/** A reader that has seen enough is no fault. */
function unlessReaderLeft(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error
}
