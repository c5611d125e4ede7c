import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { judgeExport } from '../../crypto/trail/audit-export-judge.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { verdictOf } from '../verify/export.js'
import { heldCheckpoint } from '../verify/held-checkpoint.js'
import { printVerdict } from '../verify/print.js'
import { signatureJudge } from '../verify/signature-judge.js'
import { trustedKeys } from '../verify/trusted-keys.js'
import { originFor, type OriginOptions } from '../verify/origin.js'
import { lineSplitter } from '../verify/lines.js'

export interface VerifyExportOptions extends OriginOptions {
  readonly since?: string
  readonly format: 'text' | 'json'
}

/** Verifies an export while it is read, whatever its size. */
export async function verifyTrail(file: string, options: VerifyExportOptions): Promise<ExitCode> {
  const { since, format } = options
  const { verify, confirm } = signatureJudge()
  const origin = await originFor(await trustedKeys(options.jwks), options, verify)
  const held = since === undefined ? undefined : await heldCheckpoint(since)
  const judge = judgeExport(origin.keysOf('audit'), held, origin.serviceId, verify)
  // A pipe is as good as a file: svc audit verify <(zcat trail.ndjson.gz)
  if (file !== '-' && (await stat(file).catch(() => undefined))?.isDirectory() !== false)
    throw new CliError(`There is no file ${file}.`)
  const splitter = lineSplitter((line) => judge.line(line))
  for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
    splitter.push(chunk as Uint8Array)
    await confirm()
  }
  const judged = verdictOf(judge.verdict(splitter.end()))
  const verdict = { ...judged, findings: [...origin.findings, ...judged.findings, ...(await confirm())] }
  printVerdict(verdict, file, format)
  return verdict.findings.length === 0 ? EXIT.ok : EXIT.findings
}
