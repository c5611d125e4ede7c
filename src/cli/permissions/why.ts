import { nearest, question } from '../../compiler/nearest.js'
import { ENDPOINTS } from '../../protocol/endpoints.js'
import type { Capability, Manifest } from '../../protocol/manifest.js'
import type { Permissions } from '../../protocol/permissions.js'
import type { DelegationClaims } from '../../protocol/token.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { print } from '../shared/output/print.js'
import { printable } from '../shared/output/printable.js'
import {
  printedData,
  printedLines,
  reached,
  serviceAt,
  showFailure,
  type ConnectionOptions,
} from '../service/connection.js'
import { credentialFor } from '../service/credential.js'
import { addressOf, readFromService } from '../service/read-from-service.js'
import { judgedChecks, type JudgedCheck } from './why-checks.js'

/** `svc why`: the checks of a call in their order, as far as they can be judged without calling. */
export async function why(name: string, options: ConnectionOptions): Promise<ExitCode> {
  const answer = await reached(serviceAt(options).permissions())
  if (!answer.success) return showFailure(answer.failure, options.json === true)
  const manifest = await readFromService<Manifest>(options, ENDPOINTS.manifest.path)
  const capability = capabilityOf(manifest, name)
  const checks = judgedChecks({
    name,
    capability,
    capabilities: manifest.capabilities,
    permissions: answer.result as Permissions,
    claims: claimsOf(await credentialFor(addressOf(options))),
  })
  print(
    options.json === true ? printedData({ capability: name, checks }) : printedLines(checks.map(checkLine).join('\n')),
  )
  return exitOf(checks)
}

function capabilityOf({ capabilities }: Manifest, name: string): Capability {
  if (Object.hasOwn(capabilities, name)) return capabilities[name]!
  const near = question(nearest(name, Object.keys(capabilities)))
  throw new CliError(
    `The service has no capability ${printable(name)}.${printable(near)} svc permissions lists those that it has.`,
  )
}

/** Reads the claims of a token that the service has already verified. */
const claimsOf = (token: string): DelegationClaims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as DelegationClaims

const checkLine = ({ result, check, detail }: JudgedCheck): string =>
  [result.padEnd(11), check.padEnd(42), detail ?? ''].map(printable).join('').trimEnd()

function exitOf(checks: readonly JudgedCheck[]): ExitCode {
  if (checks.some(({ result }) => result === 'refuses')) return EXIT.findings
  return checks.some(({ result }) => result === 'asks') ? EXIT.needsApproval : EXIT.ok
}
