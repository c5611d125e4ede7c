import { changeExplanation } from './change.js'
import { conceptExplanation, conceptNames } from './concepts.js'
import { FAILURE_WORDS, failureExplanation } from './failure.js'
import { fieldExplanation, fieldNames } from './field.js'
import { keywordExplanation, keywordNames } from './keyword.js'
import { wordExplanation } from './word.js'

/** What a name that is no rule's means; undefined where nothing has it. As data there are changes only. */
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
