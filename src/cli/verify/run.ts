import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import type { VerifierInput, GivenFile, VerifyOptions } from './given.js'
import { readArtefact } from './read.js'
import { artefactKindOf } from './kind-of.js'
import { ARTEFACT_KINDS, type ArtefactKind } from './kinds.js'
import { originFor } from './origin.js'
import type { Verdict } from './verdict.js'
import { printVerdict } from './print.js'
import { signatureJudge } from './signature-judge.js'
import { trustedKeys } from './trusted-keys.js'

/** Verifies a file and prints what was found; exit code 1 when it is not what was signed. */
export async function verify(first: string, second: string | undefined, options: VerifyOptions): Promise<ExitCode> {
  const { kind, file } = asked(first, second)
  const bytes = await readArtefact(file)
  const jwks = await trustedKeys(options.jwks)
  const signatures = signatureJudge()
  const given = { bytes, file, jwks, options, verify: signatures.verify }
  const judged = await verdictOn(kind ?? artefactKindOf(bytes, file), given)
  const verdict = { ...judged, findings: [...judged.findings, ...(await signatures.confirm())] }
  printVerdict(verdict, file, options.format)
  return verdict.findings.length === 0 ? EXIT.ok : EXIT.findings
}

/** Verifies an artefact. Signatures by keys of unknown origin never count as verified. */
async function verdictOn(kind: ArtefactKind, given: GivenFile): Promise<Verdict> {
  if (kind === 'manifest') return (await import('./manifest.js')).verifyManifestFile(given)
  const origin = await originFor(given.jwks, given.options, given.verify)
  const verdict = await VERIFIERS[kind]({ ...given, origin })
  return { ...verdict, findings: [...origin.findings, ...verdict.findings] }
}

const VERIFIERS: { readonly [kind in Exclude<ArtefactKind, 'manifest'>]: (given: VerifierInput) => Promise<Verdict> } =
  {
    grant: async (given) => (await import('./grant.js')).verifyGrantFile(given),
    checkpoint: async (given) => (await import('./checkpoint.js')).verifyCheckpointFile(given),
    entry: async (given) => (await import('./entry.js')).verifyEntryFile(given),
    export: async (given) => (await import('./export.js')).verifyExportFile(given),
  }

function asked(first: string, second: string | undefined): { readonly kind?: ArtefactKind; readonly file: string } {
  const kind = ARTEFACT_KINDS.find((word) => word === first)
  if (second === undefined) {
    if (kind === undefined) return { file: first }
    throw new CliError(`Name the file of the ${kind}: svc verify ${kind} <file> --jwks <file>`)
  }
  if (kind === undefined) throw new CliError(`There is no kind ${first}; there are ${ARTEFACT_KINDS.join(', ')}.`)
  return { kind, file: second }
}
