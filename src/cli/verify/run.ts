import { CliError, EXIT, type ExitCode } from '../cli-error.js'
import { read, type Given, type VerifyOptions } from './given.js'
import { kindOf } from './kind-of.js'
import { KINDS, type Kind } from './kinds.js'
import type { Verdict } from './verdict.js'
import { print } from './print.js'
import { trustedKeys } from './trusted-keys.js'

/** Verifies a file and prints what was found; exit code 1 when it is not what was signed. */
export async function verify(first: string, second: string | undefined, options: VerifyOptions): Promise<ExitCode> {
  const { kind, file } = asked(first, second)
  const bytes = await read(file)
  const jwks = await trustedKeys(options.jwks)
  const verdict = await VERIFIERS[kind ?? kindOf(bytes, file)]({ bytes, file, jwks, options })
  print(verdict, file, options.format)
  return verdict.findings.length === 0 ? EXIT.ok : EXIT.findings
}

const VERIFIERS: { readonly [kind in Kind]: (given: Given) => Promise<Verdict> } = {
  manifest: async (given) => (await import('./manifest.js')).verifyManifestFile(given),
  grant: async (given) => (await import('./grant.js')).verifyGrantFile(given),
  checkpoint: async (given) => (await import('./checkpoint.js')).verifyCheckpointFile(given),
  entry: async (given) => (await import('./entry.js')).verifyEntryFile(given),
  export: async (given) => (await import('./export.js')).verifyExportFile(given),
}

function asked(first: string, second: string | undefined): { readonly kind?: Kind; readonly file: string } {
  const kind = KINDS.find((word) => word === first)
  if (second === undefined) {
    if (kind === undefined) return { file: first }
    throw new CliError(`Name the file of the ${kind}: svc verify ${kind} <file> --jwks <file>`)
  }
  if (kind === undefined) throw new CliError(`There is no kind ${first}; there are ${KINDS.join(', ')}.`)
  return { kind, file: second }
}
