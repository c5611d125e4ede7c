import { asJson } from '../shared/output/as-json.js'
import { parsedAddress } from '../../protocol/address.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { printable } from '../shared/output/printable.js'
import { approvalCases } from '../../conformance/approvals.js'
import { authorityCases } from '../../conformance/authority.js'
import { type ConformanceCase } from '../../conformance/case.js'
import { NotApplicable, NotTried } from '../../conformance/outcomes.js'
import { declarationCases } from '../../conformance/declarations.js'
import { disclosureCases } from '../../conformance/disclosure.js'
import { documentCases } from '../../conformance/documents.js'
import { errorCases } from '../../conformance/errors.js'
import { Deviation } from '../../conformance/expect.js'
import { amountCases, inputCases, resultCases } from '../../conformance/inputs.js'
import { invocationCases } from '../../conformance/invocations.js'
import { permissionCases } from '../../conformance/permissions.js'
import type { RESULTS } from '../../conformance/results.js'
import { emptyResultCases, priceCases } from '../../conformance/situations.js'
import { learnFrom, probeReads, takeSamples } from '../../conformance/samples.js'
import { repeatCases } from '../../conformance/repeats.js'
import { connectToService, type Credentials, type ServiceUnderTest } from '../../conformance/target.js'
import { readSamples } from './read-samples.js'
import { tokenCases } from '../../conformance/tokens.js'
import { trailCases } from '../../conformance/trail.js'
import { printOut } from '../shared/output/print.js'

/** The suite, in the order of the interface document. */
export const CASES: readonly ConformanceCase[] = [
  ...documentCases, ...resultCases, ...inputCases, ...amountCases, ...priceCases, ...declarationCases, ...emptyResultCases, ...disclosureCases, ...tokenCases,
  ...authorityCases, ...permissionCases, ...invocationCases, ...repeatCases, ...approvalCases, ...trailCases, ...errorCases,
] // prettier-ignore

export interface CaseVerdict {
  readonly section: string
  readonly title: string
  readonly result: (typeof RESULTS)[number]
  /** Actual result, or why the case does not apply. */
  readonly reason?: string
}

export interface ConformanceOptions {
  readonly key?: string
  readonly approverKey?: string
  readonly agentKey?: string
  readonly json?: boolean
  readonly samples?: string
  /** Fails, too, where a case does not apply or is not tried. */
  readonly strict?: boolean
}

/** Runs every case against a service, one after another, and prints a table by section. */
export async function conformance(
  url: string,
  options: ConformanceOptions,
  environment: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const samples = options.samples === undefined ? {} : readSamples(options.samples)
  const target = await reach(url, credentialsIn(options, environment))
  const [stranger] = takeSamples(target.manifest, samples)
  if (stranger !== undefined) throw new CliError(`${options.samples}: the service has no input ${printable(stranger)}.`)
  const verdicts = await judge(target)
  printOut(options.json === true ? asJson({ url, ...countsOf(verdicts), cases: verdicts }) : tableOf(verdicts))
  const wanted: readonly CaseVerdict['result'][] =
    options.strict === true ? ['passed'] : ['passed', 'not_applicable', 'not_tried']
  return verdicts.every(({ result }) => wanted.includes(result)) ? EXIT.ok : EXIT.findings
}

function credentialsIn(
  { key, approverKey, agentKey }: ConformanceOptions,
  environment: NodeJS.ProcessEnv,
): Credentials {
  const developer = key ?? environment['SVC_DEVELOPER_KEY']
  if (!developer)
    throw new CliError(
      'A credential is needed: --key, or SVC_DEVELOPER_KEY in the environment (svc init writes it to .env).',
    )
  const approver = approverKey ?? environment['SVC_APPROVER_KEY']
  const agent = agentKey ?? environment['SVC_AGENT_KEY']
  return { developer, ...(approver && { approver }), ...(agent && { agent }) }
}

async function reach(url: string, credentials: Credentials): Promise<ServiceUnderTest> {
  if (!/^https?:$/u.test(parsedAddress(url)?.protocol ?? '')) throw new CliError(`${url} is not an http(s) address.`)
  const target = await connectToService(url, credentials, { learn: learnFrom }).catch(
    (error: unknown) => error as Error,
  )
  if (target instanceof Error)
    throw new CliError(
      `${url} does not answer as a service: ${printable(String(target.cause ?? target.message))}. Is it running?`,
    )
  return target
}

export async function judge(
  target: ServiceUnderTest,
  cases: readonly ConformanceCase[] = CASES,
): Promise<readonly CaseVerdict[]> {
  // What cannot be probed is found out by the cases.
  await probeReads(target).catch(() => undefined)
  const verdicts: CaseVerdict[] = []
  for (const each of cases) {
    verdicts.push(await judged(target, each))
    await target.withdraw()
  }
  return verdicts
}

const judged = ({ ...target }: ServiceUnderTest, { section, title, run }: ConformanceCase): Promise<CaseVerdict> =>
  run(target).then(
    () => ({ section, title, result: 'passed' }) as const,
    (error: unknown) => ({
      section,
      title,
      result: resultOf(error),
      reason: reasonOf(error),
    }),
  )

const resultOf = (error: unknown): CaseVerdict['result'] => {
  if (error instanceof NotApplicable) return 'not_applicable'
  return error instanceof NotTried ? 'not_tried' : 'failed'
}

const reasonOf = (error: unknown): string =>
  error instanceof Deviation || error instanceof NotApplicable || error instanceof NotTried
    ? error.message
    : `the case broke off: ${String(error)}`

function countsOf(verdicts: readonly CaseVerdict[]) {
  const count = (result: CaseVerdict['result']) => verdicts.filter((each) => each.result === result).length
  return {
    passed: count('passed'),
    failed: count('failed'),
    not_applicable: count('not_applicable'),
    not_tried: count('not_tried'),
  }
}

/** A line for each section, what does not apply and the deviations in full, and the counts. */
function tableOf(verdicts: readonly CaseVerdict[]): string {
  const sections = [...new Set(verdicts.map(({ section }) => section))]
  const lines = sections.map((section) => {
    const { passed, failed, not_applicable, not_tried } = countsOf(verdicts.filter((each) => each.section === section))
    return (
      `${section.padEnd(10)} ${String(passed).padStart(4)} passed ${String(failed).padStart(4)} ` +
      `failed ${String(not_applicable).padStart(4)} not applicable ${String(not_tried).padStart(4)} not tried`
    )
  })
  const { passed, failed, not_applicable, not_tried } = countsOf(verdicts)
  const unasked = [
    ...linesOf(verdicts, 'not_applicable', 'not applicable'),
    ...linesOf(verdicts, 'not_tried', 'not tried'),
  ]
  const total = `${passed} passed, ${failed} failed, ${not_applicable} not applicable, ${not_tried} not tried`
  return `${[...lines, '', ...unasked, ...linesOf(verdicts, 'failed', 'failed'), total].join('\n')}\n`
}

const linesOf = (verdicts: readonly CaseVerdict[], of: CaseVerdict['result'], word: string): readonly string[] =>
  verdicts
    .filter(({ result }) => result === of)
    .map(({ section, title, reason }) => `${word}  [${section}] ${title}: ${printable(reason ?? '')}`)
