import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { judgeExport } from '../../crypto/trail/audit-export-judge.js'
import { ringKeysOf } from '../../crypto/keys/key-ring.js'
import { CliError, EXIT, type ExitCode } from '../cli-error.js'
import { verdictOf } from '../verify/export.js'
import { heldCheckpoint } from '../verify/held-checkpoint.js'
import { print } from '../verify/print.js'
import { trustedKeys } from '../verify/trusted-keys.js'
import { lineSplitter } from './lines.js'

export interface VerifyExportOptions {
  readonly jwks: string
  readonly since?: string
  readonly format: 'text' | 'json'
}

/** Verifies an export while it is read, whatever its size. */
export async function verifyTrail(file: string, { jwks, since, format }: VerifyExportOptions): Promise<ExitCode> {
  const keys = ringKeysOf(await trustedKeys(jwks), 'audit')
  const judge = judgeExport(keys, since === undefined ? undefined : await heldCheckpoint(since))
  // A pipe is as good as a file: svc audit verify <(zcat trail.ndjson.gz)
  if (file !== '-' && (await stat(file).catch(() => undefined))?.isDirectory() !== false)
    throw new CliError(`There is no file ${file}.`)
  const splitter = lineSplitter((line) => judge.line(line))
  for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) splitter.push(chunk as Uint8Array)
  const verdict = verdictOf(judge.verdict(splitter.end()))
  print(verdict, file, format)
  return verdict.findings.length === 0 ? EXIT.ok : EXIT.findings
}
