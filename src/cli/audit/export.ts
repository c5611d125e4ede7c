import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { jwksOf, signerFor } from '../../crypto/key-ring.js'
import { exportLines } from '../../runtime/checkpoints/export.js'
import { readKeyRing } from '../../runtime/key-directory.js'
import { say } from '../build/say.js'
import { CliError, EXIT, type ExitCode } from '../cli-error.js'
import { directoryOf } from '../keys/directory.js'
import { explained } from '../keys/explained.js'
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
    const count = await write(lines, options.out)
    if (count === 0)
      throw new CliError(`No checkpoint covers entry ${from} yet; there is nothing to prove.`, EXIT.findings)
    await report(options, count, storage)
  } finally {
    await storage.close()
  }
  return EXIT.ok
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
  return (await (await import('../build/inputs.js')).checkedManifest('svc.yaml', now)).manifest.service_identity.id
}

async function write(lines: AsyncIterable<string>, out: string): Promise<number> {
  if (out === '-') return pour(lines, process.stdout)
  const file = createWriteStream(`${out}.svc-tmp`, { mode: 0o600 })
  await once(file, 'open').catch(() => {
    throw new CliError(`${out} cannot be written.`)
  })
  const count = await pour(lines, file)
  file.end()
  await once(file, 'close')
  if (count > 0) await rename(`${out}.svc-tmp`, out)
  return count
}

async function pour(lines: AsyncIterable<string>, to: Writable): Promise<number> {
  let count = 0
  for await (const line of lines) {
    count++
    if (!to.write(line)) await once(to, 'drain')
  }
  return count
}
