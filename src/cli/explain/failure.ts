import { FAILURES, RECOVERY_CLASS_OF, type FailureType, type ResolutionAction } from '../../protocol/failures.js'
import { wayOut } from '../../protocol/way-out.js'
import { FAILURE_TEXTS } from './failure-texts.js'
import { referencePath } from './reference-path.js'

/** Explains a failure or one of its actions (section 7); undefined for an unknown word. */
export function failureExplanation(wanted: string): string | undefined {
  const word = wanted.toLowerCase()
  if (Object.hasOwn(FAILURES, word)) return failurePage(word as FailureType)
  if (Object.hasOwn(RECOVERY_CLASS_OF, word)) return actionPage(word as ResolutionAction)
  return undefined
}

/** The names of all failures and actions, for a hint. */
export const FAILURE_WORDS: readonly string[] = [...Object.keys(FAILURES), ...Object.keys(RECOVERY_CLASS_OF)]

function failurePage(type: FailureType): string {
  const { status, retry, action, sentence } = FAILURES[type]
  const {
    cause,
    remedy,
    again = retry ? 'the same call may succeed later' : 'the same call fails again',
  } = FAILURE_TEXTS[type]
  const text = `${sentence} ${cause}\n\nNext: \`${action}\`: ${wayOut(action)} ${remedy}`
  return page(type, `a failure · HTTP ${status} · ${again}`, text)
}

function actionPage(action: ResolutionAction): string {
  const types = Object.entries(FAILURES).flatMap(([type, row]) => (row.action === action ? [`\`${type}\``] : []))
  const failures = types.length === 0 ? '' : `\n\nFailures that name it: ${types.join(', ')}.`
  const kind = `what a failure says to do next · recovery class \`${RECOVERY_CLASS_OF[action]}\``
  return page(action, kind, sentence(wayOut(action)) + failures)
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const page = (title: string, kind: string, text: string): string =>
  `# ${title}\n\n${kind}\n\n${text}\n\n${referencePath('reference/failures.md')}\n`
