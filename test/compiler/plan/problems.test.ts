import { expect, it } from 'vitest'
import { emit } from '../../../src/compiler/emit.js'
import type { Capability, Json } from '../../../src/protocol/manifest.js'
import { capability, manifestOf } from '../../runtime/fixture/manifest.js'

const problemsOf = (capabilities: { readonly [name: string]: Capability }): readonly string[] =>
  emit(manifestOf(capabilities), { generator: 'svc' }).problems.map(({ message }) => message)
const failing = (failures: Json): Capability => capability({ extensions: { 'x-failures': failures } })

it('makes nothing of two names that become one', () => {
  expect(problemsOf({ send_mail: capability(), 'send.mail': capability() })).toEqual([
    'The capabilities send.mail and send_mail would both be SendMail in TypeScript. Rename one.',
  ])
})

it.each<[Json, string]>([
  [['gone'], 'In sell, x-failures is no mapping. Write each failure as `name: description` below it.'],
  ['gone', 'In sell, x-failures is no mapping. Write each failure as `name: description` below it.'],
  [{ SoldOut: 'None is left.' }, 'In x-failures of sell, "SoldOut" must be lower-case words joined by _.'],
  [{ gone: 3 }, 'In x-failures of sell, the description of "gone" is no text. Say in quotes when it happens.'],
  [
    { scope_insufficient: 'x' },
    'In x-failures of sell, "scope_insufficient" is a failure of the service interface itself.',
  ],
])('makes nothing of failures that are declared as %j', (failures, message) => {
  expect(problemsOf({ sell: failing(failures) })).toEqual([message])
})
