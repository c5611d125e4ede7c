import type { InvocationResolution, InvocationResolutionRequest } from '../../protocol/operator.js'
import { CliError, type ExitCode } from '../shared/errors/cli-error.js'
import { printable } from '../shared/output/printable.js'
import { moneyText } from '../service/money-text.js'
import { askInRole } from '../service/operator-request.js'
import type { ReasonOptions } from '../operate/run.js'

export interface ResolveOptions extends ReasonOptions {
  /** True without an amount. */
  readonly happened?: string | true
  readonly didNot?: true
}

/** `svc invocations resolve`. */
export const sayWhatHappened = (id: string, options: ResolveOptions): Promise<ExitCode> =>
  askInRole<InvocationResolution>(
    options,
    { operation: 'operator_invocation_resolve', segments: { id }, body: requestOf(options) },
    ({ happened, cost, released }) =>
      [
        `Resolved ${printable(id)}: it ${happened ? 'happened' : 'did not happen'}.`,
        happened && cost !== undefined ? `It cost ${moneyText(cost)}.` : '',
        released === undefined ? '' : `Back in its budgets: ${moneyText(released)}.`,
      ]
        .filter((part) => part !== '')
        .join(' '),
  )

function requestOf({ happened, didNot, reason }: ResolveOptions): InvocationResolutionRequest {
  if ((happened === undefined) === (didNot === undefined))
    throw new CliError('Pass either --happened [amount] or --did-not.')
  if (typeof happened !== 'string') return { happened: didNot !== true, reason }
  if (/^\d+(?:\.\d+)?$/u.test(happened)) return { happened: true, amount: Number(happened), reason }
  throw new CliError(`--happened takes an amount such as 240.50, found ${JSON.stringify(happened)}.`)
}
