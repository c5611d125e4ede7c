/** Answers of a caller, judged: one that is none of its question counts as missing. */
import { isRecord } from '../../../crypto/json/kinds.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import type {
  FormAnswer,
  FormField,
  FormQuestion,
  ModelAnswer,
  Question,
  RootsAnswer,
} from '../../../protocol/questions.js'

const MOST_ROOTS = 100

/** The answer to a question; undefined if it is missing or is no answer. */
export function answerIn(
  question: Question,
  value: Json | undefined,
): FormAnswer | ModelAnswer | RootsAnswer | undefined {
  if (!isRecord(value)) return undefined
  if ('form' in question) return formAnswerIn(question, value)
  return 'model' in question ? modelAnswerIn(value) : rootsIn(value)
}

function formAnswerIn(
  { fields, required = [] }: FormQuestion,
  { action, content }: JsonObject,
): FormAnswer | undefined {
  if (action === 'decline' || action === 'cancel') return { action }
  if (action !== 'accept' || !isRecord(content ?? {})) return undefined
  const given = (content ?? {}) as JsonObject
  const filled = Object.entries(fields).filter(([name]) => Object.hasOwn(given, name))
  if (!filled.every(([name, field]) => fits(field, given[name]!))) return undefined
  if (!required.every((name) => Object.hasOwn(given, name))) return undefined
  return { action, content: Object.fromEntries(filled.map(([name]) => [name, given[name] as string])) }
}

const within = (size: number, least = -Infinity, most = Infinity): boolean => size >= least && size <= most

function fits(field: FormField, value: Json): boolean {
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'number':
    case 'integer':
      return fitsNumber(field, value)
    case 'array':
      return fitsChoices(field, value)
    default:
      return fitsText(field, value)
  }
}

const fitsNumber = ({ type, minimum, maximum }: FormField, value: Json): boolean =>
  typeof value === 'number' &&
  Number.isFinite(value) &&
  (type === 'number' || Number.isSafeInteger(value)) &&
  within(value, minimum, maximum)

const oneOf = (choices: readonly string[] | undefined, value: string): boolean =>
  choices === undefined || choices.includes(value)

function fitsText({ minLength, maxLength, enum: choices, oneOf: titled }: FormField, value: Json): boolean {
  if (typeof value !== 'string' || !within([...value].length, minLength, maxLength)) return false
  return oneOf(choices ?? titled?.map((choice) => choice.const), value)
}

function fitsChoices({ items, minItems, maxItems }: FormField, value: Json): boolean {
  if (!Array.isArray(value) || !within(value.length, minItems, maxItems)) return false
  const choices = items?.enum ?? items?.anyOf?.map((choice) => choice.const)
  return value.every((each) => typeof each === 'string' && oneOf(choices, each))
}

function modelAnswerIn({ model, content }: JsonObject): ModelAnswer | undefined {
  const blocks = Array.isArray(content) ? (content as readonly Json[]) : content === undefined ? [] : [content]
  const texts = blocks.flatMap((block) =>
    isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? [block['text']] : [],
  )
  return texts.length === 0 || typeof model !== 'string' ? undefined : { text: texts.join('\n'), model }
}

function rootsIn({ roots }: JsonObject): RootsAnswer | undefined {
  if (!Array.isArray(roots) || roots.length > MOST_ROOTS) return undefined
  const found = (roots as readonly Json[]).flatMap((root) => {
    if (!isRecord(root) || typeof root['uri'] !== 'string') return []
    const { uri, name } = root
    return [typeof name === 'string' ? { uri, name } : { uri }]
  })
  return found.length === roots.length ? found : undefined
}
