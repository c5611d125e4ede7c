/** Values of a call that an approver decides about (decisions, section 17). */
import type { ApprovalRequest, DecidedBefore } from '../../../protocol/approval.js'
import type { Json } from '../../../protocol/manifest.js'
import { nameInWords } from '../../../protocol/name-in-words.js'
import { money } from './money.js'
import { headline } from './headline.js'
import { oneLine } from './safe-text.js'
import { factsOf, isMembers, valueText } from './values.js'

type Value = readonly [label: string, value: Json]
type Asked = Pick<ApprovalRequest, 'preview' | 'requested_parameters' | 'step' | 'bound' | 'hidden'>

const inputsOf = ({ step, requested_parameters }: Asked) => step?.parameters ?? requested_parameters

/**
 * Returns the preview of the service; else what it quoted, then the inputs of the caller. Ids that stand for a quote
 * come last.
 */
export function valuesOf(request: Asked): readonly Value[] {
  const { preview, bound = [], hidden = [] } = request
  if (preview !== undefined) return factsOf(preview)
  const fields = bound.map(({ field }) => field)
  const inputs = Object.entries(inputsOf(request))
  const named = (isId: boolean): readonly Value[] =>
    inputs.filter(([name]) => fields.includes(name) === isId).map(([name, value]) => [nameInWords(name), value])
  return [
    ...bound.flatMap(({ data = {}, price }): readonly Value[] => [
      ...Object.entries(data).map(([name, value]): Value => [nameInWords(name), value]),
      ...(price === undefined ? [] : [['Quoted price', money(price)] as const]),
    ]),
    ...named(false),
    ...hidden.map((name): Value => [nameInWords(name), 'Hidden: marked as sensitive']),
    ...named(true),
  ]
}

export type Change = readonly [label: string, was: Json | undefined, is: Json | undefined]

/** Returns the members in which the preview differs from the one that was approved. */
export function changesOf({ preview, approved_before }: Pick<ApprovalRequest, 'preview' | 'approved_before'>) {
  const [was, is] = [membersOf(approved_before?.preview), membersOf(preview)]
  const names = [...new Set([...is.keys(), ...was.keys()])]
  return names
    .map((name): Change => [name, was.get(name), is.get(name)])
    .filter(([, before, after]) => JSON.stringify(before) !== JSON.stringify(after))
}

/** Returns the values, and the cost, in which a request differs from the one that its approver decided last. */
export function differencesOf(request: ApprovalRequest, last: DecidedBefore): readonly Change[] {
  const [was, is] = [comparedIn(last), comparedIn(request)]
  const labels = [...new Set([...is.keys(), ...was.keys()])]
  return labels
    .map((label): Change => [label, was.get(label), is.get(label)])
    .filter(([, before, after]) => JSON.stringify(before) !== JSON.stringify(after))
}

/** Values by label; an id that stands for a quote always differs, and says nothing. */
function comparedIn(request: DecidedBefore): ReadonlyMap<string, Json> {
  const { bound = [], checked_cost } = request
  const ids = new Set(bound.map(({ field }) => nameInWords(field)))
  const values = valuesOf(request).filter(
    ([label, value]) =>
      !ids.has(label) && label !== 'Quoted price' && (checked_cost === undefined || value !== checked_cost.amount),
  )
  return new Map(checked_cost === undefined ? values : [...values, ['Cost', money(checked_cost)]])
}

/** Members of a preview, its headline among them; one that is no object is a single value. */
const membersOf = (preview: Json | undefined): ReadonlyMap<string, Json> =>
  new Map(isMembers(preview) ? Object.entries(preview) : preview === undefined ? [] : [['preview', preview]])

/** True where the approver would see ids and nothing else. */
export const showsIdsOnly = ({ preview, bound, requested_parameters, step }: Asked): boolean => {
  const names = Object.keys(step?.parameters ?? requested_parameters)
  return (
    preview === undefined && bound === undefined && names.length > 0 && names.every((name) => /(?:^|_)id$/u.test(name))
  )
}

/**
 * The most important values of a request in a list of those like it: the values in which they differ first. The amount
 * stands beside them, once.
 */
export function distinctValues(request: ApprovalRequest, all: readonly ApprovalRequest[], most = 3): readonly Value[] {
  const others = all.filter((each) => each !== request && isLike(each, request)).map(valuesOf)
  const differs = ([label, value]: Value): boolean =>
    others.some((values) => JSON.stringify(values.find(([name]) => name === label)?.[1]) !== JSON.stringify(value))
  const price = request.checked_cost?.amount
  const values = valuesOf(request).filter(
    ([label, value]) => label !== 'Quoted price' && (price === undefined || value !== price),
  )
  return [...values.filter(differs), ...values.filter((value) => !differs(value))].slice(0, most)
}

/** Requests in groups of like ones; a group stands where its first request does. */
export const groupsOf = (requests: readonly ApprovalRequest[]): readonly (readonly ApprovalRequest[])[] =>
  requests.flatMap((request, index) =>
    requests.findIndex((each) => isLike(each, request)) === index
      ? [requests.filter((each) => isLike(each, request))]
      : [],
  )

/**
 * Names a request among like ones: by the service's preview, else by up to two quoted values in which they differ. A
 * value of the caller is no name.
 */
export function nameInGroup(request: ApprovalRequest, group: readonly ApprovalRequest[]): string {
  const quoted = quotedIn(request)
  const others = group.map((each) => new Map(quotedIn(each)))
  const differing = quoted.filter(([name, text]) => others.some((values) => values.get(name) !== text))
  const name = (differing.length > 0 ? differing : quoted).slice(0, 2).map(([, text]) => oneLine(text, 40)).join(' · ') // prettier-ignore
  return request.preview === undefined && name !== '' ? name : headline(request, { cost: false })
}

const quotedIn = ({ bound = [] }: ApprovalRequest): readonly (readonly [string, string])[] =>
  bound.flatMap(({ data = {} }) => Object.entries(data).map(([name, value]) => [name, valueText(value)] as const))

/** Like ones: the same capability, and the same step of it, for the same requester. */
export const isLike = (one: ApprovalRequest, other: ApprovalRequest): boolean =>
  one.capability === other.capability &&
  one.step?.capability === other.step?.capability &&
  one.requester.subject === other.requester.subject &&
  one.requester.root_principal === other.requester.root_principal
