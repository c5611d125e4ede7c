import { failure } from '../../../protocol/failures.js'
import type { AnswerDeviation } from '../../../protocol/invocation.js'
import type { Json } from '../../../protocol/manifest.js'
import type { InputProblem, Validate } from '../../definition.js'
import { Refusal } from '../../errors/refusal.js'
import type { Answered } from '../../json/answered-upstream.js'

/** Deviations that an envelope lists. */
const MOST_LISTED = 20
/** Characters that are judged again: they bound the parts that are taken out one by one, before whole fields are. */
const MOST_JUDGED = 400 * 1024 * 1024
const [LEAST_PARTS, MOST_PARTS] = [50, 1_000]

type Container = { [member: string]: Json } | Json[]

/**
 * Takes out of a result what is otherwise than described, and lists it. A read fails where a required member is
 * missing, or where it is strict; a change was done all the same (decisions, section 19).
 */
export function fitted(
  validate: Validate,
  result: { [field: string]: Json },
  { isRead, isStrict, isEmpty, isWhole, deviations: before, judged }: Answered,
): readonly AnswerDeviation[] {
  if (isEmpty) return before
  const text = JSON.stringify(judged)
  const checked = JSON.parse(text) as Container
  const mostParts = Math.min(Math.max(MOST_JUDGED / text.length, LEAST_PARTS), MOST_PARTS)
  const deviations: AnswerDeviation[] = [...before]
  for (let round = 0; ; round++) {
    const problem = validate(checked)[0]
    if (problem === undefined) return deviations.slice(0, MOST_LISTED)
    const steps = stepsOf(problem)
    const deviation = deviationAt(problem, steps, checked)
    deviations.push(deviation)
    const isLacking = steps.length === 1 && ['null', 'nothing'].includes(deviation.got)
    const present = presentPart(checked, round < mostParts ? steps : steps.slice(0, 1))
    const isAll = isWhole && present.length === 1
    if (isRead && (isStrict || isLacking || isAll)) refuseAnswer(deviation)
    if (present.length === 0) return deviations.slice(0, MOST_LISTED)
    for (const from of [checked, result]) takeOut(from, present)
    if (present.length === 1) validate = without(validate, present[0]!)
  }
}

/** A field that is out is judged no more. */
const without =
  (validate: Validate, field: string): Validate =>
  (value) =>
    validate(value).filter((problem) => stepsOf(problem)[0] !== field)

const refuseAnswer = ({ pointer, expected, got }: AnswerDeviation): never => {
  const where = pointer === '' ? 'The answer' : `The member ${pointer} of the answer`
  throw new Refusal(
    failure('upstream_answer_invalid', `${where} of the service behind should be ${expected}, and is ${got}.`),
  )
}

const stepsOf = ({ path }: InputProblem): readonly string[] =>
  path
    .replace(/^\//u, '')
    .split('/')
    .filter((step) => step !== '')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

function deviationAt({ message }: InputProblem, steps: readonly string[], value: Json): AnswerDeviation {
  const pointer = steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  const expected = message.replace(/^(?:is missing; it )?must (?:be )?/u, '').slice(0, 200)
  return { pointer: pointer.slice(0, 400), expected, got: kindOf(valueAt(value, steps)) }
}

const valueAt = (value: Json | undefined, steps: readonly string[]): Json | undefined =>
  steps.reduce<Json | undefined>(
    (at, step) => (typeof at === 'object' && at !== null ? (at as { [name: string]: Json })[step] : undefined),
    value,
  )

/** The kind of a value, and of a short one the value. */
export function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  const text = JSON.stringify(value)
  return text.length <= 60 ? text : `a ${typeof value}`
}

/** The part itself, or the nearest around it that is there. */
function presentPart(value: Json, steps: readonly string[]): readonly string[] {
  let part = steps
  while (part.length > 1 && valueAt(value, part) === undefined) part = part.slice(0, -1)
  return part
}

function takeOut(value: Json, steps: readonly string[]): void {
  const last = steps.at(-1)!
  const holder = valueAt(value, steps.slice(0, -1))
  if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else if (typeof holder === 'object' && holder !== null) delete (holder as { [name: string]: Json })[last]
}
