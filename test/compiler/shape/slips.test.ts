/** What is said of a value or a field that is not what the interface has there, and what the fix writes. */
import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'

const TEXT = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
  change:
    description: Changes the account and returns its new state.
    contract_version: 1.0.0
    side_effect: { type: write }
    minimum_scope: [crm.write]
    inputs: [{ name: a, type: string, description: The thing. }]
    output: { type: account, fields: [account] }
    cost: { certainty: fixed, financial: { currency: EUR, amount: 5 } }
    control_requirements: [{ type: cost_ceiling, enforcement: reject }]
    approval: { required: always, grant_policy: { allowed_grant_types: [one_time], default_grant_type: one_time, expires_in_seconds: 900, max_uses: 1 } }
    observability: { logged: true, retention: P90D, fields_logged: [a] }
`

it.each<readonly [find: string, wrong: string, ...found: readonly string[]]>([
  ['logged: true', 'logged: yes', 'SVC0113 `yes` is text in YAML 1.2 and true in YAML 1.1; write `true`.', 'true'],
  ['logged: true', 'logged: "true"', 'SVC0203 `logged` must be true or false, but is the text "true".', 'true'],
  ['logged: true', 'logged: 1', 'SVC0203 `logged` must be true or false, but is the number 1.'],
  ['logged: true', 'logged: [true]', 'SVC0203 `logged` must be true or false, but is a list.'],
  ['logged: true', 'logged: off', 'SVC0113 `off` is text in YAML 1.2 and false in YAML 1.1; write `false`.', 'false'],
  ['P90D', '90', 'SVC0114 `90` is the number 90, where an ISO 8601 duration is expected: `PT1M30S` for seconds, `P90D` for days.'],
  ['P90D', '5400', 'SVC0114 `5400` is the number 5400, where an ISO 8601 duration is expected: `PT1H30M` for seconds, `P5400D` for days.'],
  ['P90D', '3661', 'SVC0114 `3661` is the number 3661, where an ISO 8601 duration is expected: `PT1H1M1S` for seconds, `P3661D` for days.'],
  ['P90D', 'true', 'SVC0203 `retention` must be text, but is true.', '"true"'],
  ['P90D', '[P90D]', 'SVC0203 `retention` must be text, but is a list.'],
  ['amount: 5', 'amount: "5"', 'SVC0203 `amount` must be a number, but is the text "5".', '5'],
  ['amount: 5', 'amount: "-5.25"', 'SVC0203 `amount` must be a number, but is the text "-5.25".', '-5.25'],
  ['amount: 5', 'amount: five', 'SVC0203 `amount` must be a number, but is the text "five".'],
  ['amount: 5', 'amount: true', 'SVC0203 `amount` must be a number, but is true.'],
  ['amount: 5', 'amount: {}', 'SVC0203 `amount` must be a number, but is a mapping.'],
  ['900', '900.5', 'SVC7004 `expires_in_seconds` must be a whole number; it is 900.5.'],
  ['900', '"900"', 'SVC0203 `expires_in_seconds` must be a whole number, but is the text "900".', '900'],
  ['900', '0', 'SVC7004 `expires_in_seconds` must be 1 or more; it is 0.'],
  ['max_uses: 1', 'max_uses: 0', 'SVC7005 `max_uses` must be 1 or more; it is 0.'],
  ['required: always', 'required: true', 'SVC0203 `required` must be one of always, handler, but is true. Did you mean `always`?', 'always'],
  ['required: always', 'required: false', 'SVC0203 `required` must be one of always, handler, but is false. Remove the block where nothing is needed.'],
  ['required: always', 'required: sometimes', 'SVC0204 `sometimes` is not allowed for `required`: choose one of always, handler.'],
  ['required: always', 'required: Always', 'SVC0211 `Always` is spelt `always` here.', 'always'],
  ['level: signed', 'level: signd', 'SVC1101 `signd` is not allowed for `level`: choose one of declarative, signed, anchored. Did you mean `signed`?', 'signed'],
  ['level: signed', 'level: 5', 'SVC0203 `level` must be one of declarative, signed, anchored, but is the number 5.'],
  ['level: signed', 'level:', 'SVC0121 `level` has no value; write one or remove the key.'],
  ['id: crm', 'id: 5', 'SVC0114 `5` is the number 5, where text is expected; write "5".', '"5"'],
  ['id: crm', 'id: true', 'SVC0203 `id` must be text, but is true.', '"true"'],
  ['id: crm', 'id: 1.50', 'SVC0114 `1.50` is the number 1.5, where text is expected; write "1.50".', '"1.50"'],
  ['id: crm', 'id: [crm]', 'SVC0203 `id` must be text, but is a list.'],
  ['id: crm', 'id: ""', 'SVC0205 `id` must not be empty.'],
  ['[crm.write]', 'crm.write', 'SVC0213 `minimum_scope` must be a list; write `[crm.write]`.', '[crm.write]'],
  ['[crm.write]', '5', 'SVC0213 `minimum_scope` must be a list.'],
  ['[crm.write]', '{}', 'SVC0203 `minimum_scope` must be a list, but is a mapping.'],
  ['[crm.write]', '[5]', 'SVC0114 `5` is the number 5, where text is expected; write "5".', '"5"'],
  ['[crm.write]', '[crm.write, ~]', 'SVC0121 `minimum_scope[1]` has no value; write one or remove the item.'],
  ['{ type: write }', 'write', 'SVC2009 `side_effect` must be a mapping; write `{ type: write }`.', '{ type: write }'],
  ['{ type: write }', 'wrte', 'SVC2009 `side_effect` must be a mapping. Did you mean `{ type: write }`?', '{ type: write }'],
  ['{ type: write }', '[write]', 'SVC2009 `side_effect` must be a mapping, but is a list.'],
  ['{ type: write }', '5', 'SVC2009 `side_effect` must be a mapping, such as `{ type: read }`.'],
  ['{ certainty: fixed, financial: { currency: EUR, amount: 5 } }', '5', 'SVC0203 `cost` must be a mapping; write `{ certainty: fixed, financial: { currency: EUR, amount: 5 } }`.'],
  ['{ certainty: fixed, financial: { currency: EUR, amount: 5 } }', 'free', 'SVC0203 `cost` must be a mapping, such as `{ certainty: fixed }`.'],
  ['{ certainty: fixed, financial: { currency: EUR, amount: 5 } }', 'fixed', 'SVC0203 `cost` must be a mapping; write `{ certainty: fixed }`.', '{ certainty: fixed }'],
  ['{ currency: EUR, amount: 5 }', '5', 'SVC0203 `financial` must be a mapping, but is the number 5.'],
  ['{ currency: EUR, amount: 5 }', 'EUR', 'SVC0203 `financial` must be a mapping, but is the text "EUR".'],
  ['{ currency: EUR, amount: 5 }', '5 EUR', 'SVC0203 `financial` must be a mapping, but is the text "5 EUR".'],
  ['[{ type: cost_ceiling, enforcement: reject }]', 'cost_ceiling', 'SVC0213 `control_requirements` must be a list of mappings with `type`.'],
  ['[{ type: cost_ceiling, enforcement: reject }]', '[cost_ceiling]', 'SVC0203 `control_requirements[0]` must be a mapping; write `{ type: cost_ceiling }`.', '{ type: cost_ceiling }'],
  ['[{ name: a, type: string, description: The thing. }]', '[a]', 'SVC0214 `inputs[0]` must be a mapping with `name` and `type`.'],
  ['[{ name: a, type: string, description: The thing. }]', 'a', 'SVC0213 `inputs` must be a list of mappings with `name` and `type`.'],
  ['[{ name: a, type: string, description: The thing. }]', '{ a: string }', 'SVC0203 `inputs` must be a list, but is a mapping.'],
  ['output: {', 'x-tittle: Change\n    output: {', 'SVC0215 `x-tittle` is kept, but svc reads nothing from it. Did you mean `x-title`?', 'x-title'],
  ['output: {', 'x-title: Change\n    output: {'],
  ['output: {', 'x-failure: {}\n    output: {', 'SVC0215 `x-failure` is kept, but svc reads nothing from it. Did you mean `x-failures`?', 'x-failures'],
  ['output: {', 'x-amount-input: a\n    output: {', 'SVC0215 `x-amount-input` is kept, but svc reads it only from `cost.financial`.'],
  ['output: {', 'x-exclusive: [a]\n    output: {', 'SVC0215 `x-exclusive` is kept, but svc reads nothing from it. Did you mean `x-exclusive-by`?', 'x-exclusive-by'],
  ['output: {', 'x-other: 1\n    output: {'],
  ['amount: 5', 'amount: 5, x-amount-inputs: a', 'SVC0215 `x-amount-inputs` is kept, but svc reads nothing from it. Did you mean `x-amount-input`?', 'x-amount-input'],
  ['description: The thing.', 'description: The thing., x-schemas: {}', 'SVC0215 `x-schemas` is kept, but svc reads nothing from it. Did you mean `x-schema`?', 'x-schema'],
  ['trust:', 'x-schema: {}\ntrust:', 'SVC0215 `x-schema` is kept, but svc reads nothing from it. Did you mean `x-schemas`?', 'x-schemas'],
  ['fields: [account]', 'fields: [{ name: b, type: string, x-schem: {} }]', 'SVC0215 `x-schem` is kept, but svc reads nothing from it. Did you mean `x-schema`?', 'x-schema'],
  ['description: Changes', 'Description: Changes', 'SVC0211 `Description` is spelt `description` here.', 'description'],
  ['contract_version', 'contractVersion', 'SVC0212 `contractVersion` is spelt `contract_version` here.', 'contract_version'],
  ['contract_version', 'contract-version', 'SVC0212 `contract-version` is spelt `contract_version` here.', 'contract_version'],
  ['contract_version', 'CONTRACT_VERSION', 'SVC0211 `CONTRACT_VERSION` is spelt `contract_version` here.', 'contract_version'],
  ['inputs: [', 'parameters: [', 'SVC0202 `change` has no field `parameters`. Did you mean `inputs`?', 'inputs'],
  ['output: {', 'returns: {', 'SVC0202 `change` has no field `returns`. Did you mean `output`?', 'output'],
  ['cost: {', 'price: {', 'SVC0202 `change` has no field `price`. Declare the cost of a call in `cost`: `{ certainty: fixed, financial: { currency: EUR, amount: 5 } }`.'],
  ['    cost: {', '    budget: {}\n    cost: {', 'SVC0202 `change` has no field `budget`. A budget belongs to a token: who delegates gives it. Require one by `control_requirements: [{ type: cost_ceiling }]`; what a call costs is `cost`.'],
  ['trust:', 'budget: {}\ntrust:', 'SVC0202 A manifest has no field `budget`. A budget belongs to a token: who delegates gives it. A capability requires one by `control_requirements`.'],
])('%s written as %j', (find, wrong, ...found) => {
  const text = TEXT.replace(find, () => wrong)
  expect(text).not.toBe(TEXT)
  const { diagnostics } = check([{ file: 'svc.yaml', text }], { preset: 'minimal' })
  expect(
    diagnostics.flatMap(({ code, message, fix }) => [
      `${code} ${message}`,
      ...(fix ?? []).map(({ newText }) => newText),
    ]),
  ).toEqual(found)
}) // prettier-ignore
