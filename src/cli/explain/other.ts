import { changeExplanation } from './change.js'
import { conceptExplanation, conceptNames } from './concepts.js'
import { FAILURE_WORDS, failureExplanation } from './failure.js'
import { fieldExplanation, fieldNames } from './field.js'
import { keywordExplanation, keywordNames } from './keyword.js'
import { wordExplanation } from './word.js'

/** Explains a name that belongs to no rule; undefined for an unknown name. As data, only changes are known. */
export async function otherExplanation(wanted: string, isData: boolean): Promise<string | undefined> {
  const change = await changeExplanation(wanted, isData)
  if (change !== undefined || isData) return change
  return (
    (await fieldExplanation(wanted)) ??
    wordExplanation(wanted) ??
    failureExplanation(wanted) ??
    keywordExplanation(wanted) ??
    conceptExplanation(wanted)
  )
}

/** All names, for a hint. */
export const otherNames = async (): Promise<readonly string[]> => [
  ...(await fieldNames()),
  ...FAILURE_WORDS,
  ...keywordNames(),
  ...conceptNames(),
]
