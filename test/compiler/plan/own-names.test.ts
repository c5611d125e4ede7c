/** A shared schema may have no name that generated code has for something of its own. */
import { expect, it } from 'vitest'
import { emit } from '../../../src/compiler/emit.js'
import { capability, manifestOf } from '../../runtime/fixture/manifest.js'

const withSchemas = (...names: readonly string[]) =>
  emit(
    manifestOf({ search: capability() }, {
      extensions: { 'x-schemas': Object.fromEntries(names.map((name) => [name, { type: 'object' }])) },
    } as never),
    { generator: 'svc' },
  ).problems.map(({ message }) => message)

it.each(
  `Any ApprovableCall ApprovalRefusal AskForApproval BindingRefusal Budget BudgetRefusal CallOptions CallRefusal Client ClientOptions ContextBase Credential Declared Delegated
   Dict Fail Governance Handlers Json JsonObject List Literal NotRequired Omit Optional Outcome Pending Preview Previews PricedBinding Progress Quotes Refusal Refused
   Registration ResolvedBinding Resolution Resolver Resolvers Stream Streaming Success TransportError TypeAlias TypedDict Union
   SearchParameters SearchInput SearchOutput SearchFailure SearchFailureType SearchOutcome SearchContext SearchHandler`.split(/\s+/u),
)('%s', (name) => {
  expect(withSchemas('Own', name)).toEqual([
    `\`x-schemas\` has ${name}, which generated code calls something of its own. Rename it.`,
  ])
}) // prettier-ignore

it('any other name is free', () => {
  expect(withSchemas('Own', 'Search', 'BuyHandler')).toEqual([])
})
