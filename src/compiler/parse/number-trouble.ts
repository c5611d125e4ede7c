import type { Report } from '../finding.js'
import type { NumberTrouble } from './scalars.js'
import type { Spot } from './tree.js'

/** A number that JSON, or a double, cannot hold. */
export function reportNumber(trouble: NumberTrouble, text: string, spot: Spot, report: Report): void {
  if (trouble === 'too-big')
    report('SVC0115', spot, `${text} cannot be held exactly (beyond 2^53); quote it or use a smaller unit.`)
  else report('SVC0117', spot, `\`${text}\` is not a finite number, so JSON cannot hold it; write a number.`)
}
