import { isCliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { printable } from '../shared/output/printable.js'
import { wrong, type Examination, type Diagnosis } from './examination.js'
import { EXAMINATIONS } from './examinations.js'
import { PRODUCTION } from './production.js'
import { printOut } from '../shared/output/print.js'

/** Asks every question of a project, prints a line for each, and says whether anything is wrong. */
export async function examine(root: string, checks: readonly Examination[] = EXAMINATIONS): Promise<ExitCode> {
  let errors = 0
  for (const { name, of } of checks) {
    const finding = await answered(of, root)
    if (finding === undefined) continue
    if (finding.state === 'error') errors += 1
    printOut(lineOf(name, finding))
  }
  printOut(errors === 0 ? 'Nothing stands in the way.\n' : `${errors} to fix.\n`)
  return errors === 0 ? EXIT.ok : EXIT.findings
}

/** The same, and what a service needs in production, by the environment that it will have. */
export const examineForProduction = (root: string): Promise<ExitCode> => examine(root, [...EXAMINATIONS, ...PRODUCTION])

/** What a command would refuse to go on with is a finding here. */
async function answered(of: Examination['of'], root: string): Promise<Diagnosis | undefined> {
  try {
    return await of(root)
  } catch (error) {
    if (isCliError(error) || isStartUpError(error)) return wrong(error.message, 'Fix that, and ask again.')
    throw error
  }
}

const isStartUpError = (error: unknown): error is Error => error instanceof Error && error.name === 'StartUpError'

const MARKS = { ok: 'ok     ', warning: 'warning', error: 'error  ' } as const

const lineOf = (name: string, { state, says, remedy }: Diagnosis): string =>
  `${MARKS[state]}  ${name.padEnd(12)} ` +
  ` ${shown(says)}${remedy === undefined ? '' : `\n${' '.repeat(23)}${shown(remedy)}`}\n`

/** Messages of other parts may have several lines; each is shown as data. */
const shown = (text: string): string =>
  text
    .split('\n')
    .map(printable)
    .join(`\n${' '.repeat(23)}`)
