import { at, hasAllItems, type ViewList } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { allHold, members, none, someItem, when } from '../schema-part.js'

/** One type word, and null beside it. */
const ONE_TYPE_OR_NULL = allHold(
  { type: 'array', minItems: 2, maxItems: 2 },
  someItem({ enum: ['null', null] }),
  someItem(none({ enum: ['null', null, 'any'] })),
)

export const outputTypeList = {
  code: 'SVC2014',
  slug: 'output-type-list',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: "A list of types of an output field is one type and `'null'`.",
  why: 'Schemas and clients can say that there may be no value, and nothing else beside one type.',
  schema: { 'output field': members({ type: when({ type: 'array' }, ONE_TYPE_OR_NULL) }) },
  ofCapability({ capability: { output } }, report) {
    for (const field of output?.fields ?? []) {
      const types = field.type as ListView | string | undefined
      if (typeof types !== 'object' || !hasAllItems(types) || isTypeOrNull(types)) continue
      report(at(field, 'type'), `\`${field.name ?? 'A field'}\` has the types ${spelt(types)}; ${expected(types)}`)
    }
  },
} satisfies Rule

type ListView = ViewList<string>

/** Holds for one type beside null, in either order; `any` has null among its values. */
const isTypeOrNull = (types: readonly string[]): boolean =>
  types.length === 2 && types.includes('null') && types.some((word) => word !== 'null' && word !== 'any')

const spelt = (types: readonly string[]): string => `\`[${types.join(', ')}]\``

function expected(types: readonly string[]): string {
  if (types.includes('any')) return '`any` may be null, so write `type: any`.'
  const word = types.find((each) => each !== 'null') ?? 'string'
  return `write one type, or one type and null, as in \`[${word}, 'null']\`.`
}
