import { readJwks } from '../../crypto/jwk.js'
import { parseStrictJson } from '../../crypto/strict-json.js'
import type { PublicJwk } from '../../protocol/jwk.js'
import { CliError, EXIT, type ExitCode } from '../cli-error.js'
import { read, type Given, type VerifyOptions } from './given.js'
import { kindOf } from './kind-of.js'
import { KINDS, type Kind, type Verdict } from './kinds.js'

/** Verifies a file and prints what was found; exit code 1 when it is not what was signed. */
export async function verify(first: string, second: string | undefined, options: VerifyOptions): Promise<ExitCode> {
  const { kind, file } = asked(first, second)
  const bytes = await read(file)
  const jwks = await trustedKeys(options.jwks)
  const verdict = await VERIFIERS[kind ?? kindOf(bytes, file)]({ bytes, file, jwks, options })
  process.stdout.write(options.format === 'json' ? jsonOf(verdict) : textOf(verdict, file))
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

async function trustedKeys(file: string): Promise<readonly PublicJwk[]> {
  const json = parseStrictJson(await read(file))
  if (!json.ok) throw new CliError(`--jwks ${file}: ${json.reason}`)
  const keys = readJwks(json.value)
  if (typeof keys === 'string') throw new CliError(`--jwks ${file}: ${keys}`)
  if (keys.length === 0) throw new CliError(`--jwks ${file} holds no keys.`)
  return keys
}

const jsonOf = ({ kind, facts, findings }: Verdict): string =>
  `${JSON.stringify({ kind, verified: findings.length === 0, facts: Object.fromEntries(facts), findings }, undefined, 2)}\n`

function textOf({ kind, facts, findings }: Verdict, file: string): string {
  const width = Math.max(0, ...facts.map(([label]) => label.length))
  const lines = facts.map(([label, value]) => `  ${label.padEnd(width)}  ${printable(value)}`)
  const head = findings.length === 0 ? `verified: ${kind} ${file}` : `NOT verified: ${kind} ${file}`
  return `${[head, ...lines, ...findings.map((finding) => `  - ${printable(finding)}`)].join('\n')}\n`
}

/** What comes from a file may not steer the terminal. */
const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`)
