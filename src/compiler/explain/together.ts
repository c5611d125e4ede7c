import type { Finding } from '../finding.js'
import { ruleOf } from '../rules/index.js'
import type { Step } from './step.js'

/**
 * Joins what is wrong with a part of a token to what is wrong with all of it: a hidden character is why a name is
 * unknown. The finding about the whole stays, with the remedy of the part.
 */
export const joinParts: Step = (findings) => {
  const parts = findings.filter(isOfPart)
  if (parts.length === 0 || parts.length === findings.length) return findings
  const joined = new Map<Finding, Finding>()
  for (const part of parts) {
    const all = findings.find((each) => !isOfPart(each) && !joined.has(each) && encloses(each, part))
    if (all !== undefined) joined.set(all, part)
  }
  const gone = new Set(joined.values())
  return findings.flatMap((each) => {
    const part = joined.get(each)
    if (part === undefined) return gone.has(each) ? [] : each
    const { isGuess: _, fix: __, ...rest } = each
    return { ...rest, message: `${each.message} ${part.message}`, ...(part.fix === undefined ? {} : { fix: part.fix }) }
  })
}

const isOfPart = ({ code }: Finding): boolean => ruleOf(code).role?.isOfPart === true

/** A token is short: what encloses more is a block, which has other faults. */
const LONGEST = 200
const encloses = ({ span }: Finding, part: Finding): boolean =>
  span.start <= part.span.start && part.span.end <= span.end && span.end - span.start <= LONGEST
