import type { Report } from '../finding.js'
import type { NumberTrouble } from './scalars.js'
import type { Span } from './tree.js'

/** A number that JSON, or a double, cannot hold. */
export function reportNumber(trouble: NumberTrouble, text: string, span: Span, report: Report): void {
  if (trouble === 'too-big')
    report('SVC0115', span, `${text} cannot be held exactly (beyond 2^53); quote it or use a smaller unit.`)
  else report('SVC0117', span, `\`${text}\` is not a finite number, so JSON cannot hold it; write a number.`)
}
