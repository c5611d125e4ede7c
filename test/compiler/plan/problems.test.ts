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
  [['gone'], 'In x-failures of sell, what stands is no mapping; write each failure as `name: description` below it.'],
  ['gone', 'In x-failures of sell, what stands is no mapping; write each failure as `name: description` below it.'],
  [
    { SoldOut: 'None is left.' },
    'In x-failures of sell, "SoldOut" must be lower-case words joined by _, 64 characters at most.',
  ],
  [
    { ['a'.repeat(65)]: null },
    `In x-failures of sell, "${'a'.repeat(65)}" must be lower-case words joined by _, 64 characters at most.`,
  ],
  [{ gone: 3 }, 'In x-failures of sell, "gone" is described by no text; say in quotes when it happens.'],
  [
    { gone: { description: 3 } },
    'In x-failures of sell, "gone" is described by no text; say in quotes when it happens.',
  ],
  [{ gone: { staus: 410 } }, 'In x-failures of sell, "gone" has a member "staus"; known are status and description.'],
  [{ gone: { status: 500 } }, 'In x-failures of sell, "gone" has a status that is no whole number from 400 to 499.'],
  [
    { scope_insufficient: 'x' },
    'In x-failures of sell, "scope_insufficient" is a failure of the service interface itself.',
  ],
])('makes nothing of failures that are declared as %j', (failures, message) => {
  expect(problemsOf({ sell: failing(failures) })).toEqual([message])
})
