import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMPILERS, compile, copyExample, folderWithPackages, remove, type Complaint } from './project.js'

/** What a quote of the example carries is declared in its `src/quotes.ts`; of a flight, it is not. */
const IMPORTS = `import type { PlaceOrderContext, PriceOrderContext } from '../generated/handlers.js'
import type { OrderLine, PriceOrder_Order } from '../generated/types.js'
import type { Fail, Progress, Quotes, ResolvedBinding } from 'svc-kit/runtime'
declare const order: PriceOrder_Order
declare const lines: readonly OrderLine[]
`

const RIGHT = `${IMPORTS}
export const declared = (context: PriceOrderContext): unknown =>
  context.bindings.issue({ type: 'order_quote', price: { currency: 'EUR', amount: 1 }, data: order })
export const until = (context: PriceOrderContext): string => context.bindings.validUntil('bnd_1')
export const back = (context: PlaceOrderContext): readonly OrderLine[] => context.bound.quote_id.data.lines
export const price = (context: PlaceOrderContext): number => context.bound.quote_id.price.amount

interface Event {
  readonly id: string
  readonly note?: string
  readonly lines: readonly OrderLine[]
  readonly at: { readonly day: string } | null
}
declare const event: Event
/** As a build writes it of a schema that is open. */
interface Open {
  readonly from: string
  readonly lines: readonly OrderLine[]
  readonly inside: { readonly note?: string; readonly [name: string]: unknown }
  readonly [name: string]: unknown
}
declare const open: Open
export const another = (bindings: Quotes<'event_quote' | 'order_quote'>): readonly unknown[] => [
  bindings.issue({ type: 'event_quote', data: { event } }),
  bindings.issue({ type: 'event_quote', data: event }),
  bindings.issue({ type: 'event_quote', data: open }),
  bindings.issue({ type: 'event_quote', data: { open, event } }),
  bindings.issue({ type: 'event_quote', data: { lines, nothing: null } }),
  bindings.issue({ type: 'order_quote', data: { lines, ship_to: order.ship_to } }),
]
export const untyped = (binding: ResolvedBinding): unknown => binding.data?.['event']
export const failed = (fail: Fail<'gone'>): never => fail('gone', 'It is gone.', { event })
export const plainly = (fail: Fail<'gone'>): never => fail('gone', 'It is gone.')
export const told = (progress: Progress): readonly unknown[] => [progress(event), progress(open), progress('half'), progress(null)]
`

/** What does not compile, and what the compiler says. */
const WRONG: readonly (readonly [name: string, text: string, code: string])[] = [
  ['other data than declared', "(c: PriceOrderContext): unknown => c.bindings.issue({ type: 'order_quote', data: { lines } })", 'TS2322 TS2741'],
  ['no price, where a cost is estimated from it', "(c: PriceOrderContext): unknown => c.bindings.issue({ type: 'order_quote', data: order })", 'TS2345'],
  ['no data, where they are declared', "(c: PriceOrderContext): unknown => c.bindings.issue({ type: 'order_quote', price: { currency: 'EUR', amount: 1 } })", 'TS2345'],
  ['a member that is not declared', '(c: PlaceOrderContext): unknown => c.bound.quote_id.data.total', 'TS2339'],
  ['a date', "(q: Quotes<'x'>): unknown => q.issue({ type: 'x', data: { at: new Date() } })", 'TS2322'],
  ['a function', "(q: Quotes<'x'>): unknown => q.issue({ type: 'x', data: { then: () => 1 } })", 'TS2322'],
  ['a map', "(q: Quotes<'x'>): unknown => q.issue({ type: 'x', data: { of: new Map<string, string>() } })", 'TS2322'],
  ['what is undefined', "(q: Quotes<'x'>): unknown => q.issue({ type: 'x', data: { of: undefined } })", 'TS2322'],
  ['a big integer', "(p: Progress): unknown => p({ of: BigInt(1) })", 'TS2322'],
] // prettier-ignore

let folder: string
beforeAll(() => {
  folder = folderWithPackages()
  copyExample(folder, 'orders')
  mkdirSync(join(folder, 'orders/carried'))
  writeFileSync(join(folder, 'orders/carried/right.ts'), RIGHT)
  const used =
    'export type Used = [OrderLine, PlaceOrderContext, Fail<string>, Progress, Quotes<string>, ResolvedBinding]\n'
  const more = 'export type UsedToo = PriceOrderContext\nexport const both: readonly unknown[] = [order, lines]\n'
  WRONG.forEach(([, text], index) =>
    writeFileSync(
      join(folder, `orders/carried/wrong-${index}.ts`),
      `${IMPORTS}${used}${more}export const wrong = ${text}\n`,
    ),
  )
})
afterAll(() => remove(folder))

describe.each(COMPILERS)('what a binding carries, under %s', (compiler) => {
  let complaints: readonly Complaint[]
  beforeAll(() => {
    complaints = compile(folder, compiler, 'NodeNext', ['orders/src', 'orders/generated', 'orders/carried'])
  }, 180_000)

  it('is an interface that was generated, or one of the author, both ways', () => {
    expect(complaints.filter(({ file }) => !file.includes('/wrong-'))).toEqual([])
  })

  it.each(WRONG.map(([name, , code], index) => [name, `wrong-${index}.ts`, code] as const))(
    'is not %s',
    (_, file, code) => {
      const found = complaints.filter((each) => each.file.endsWith(file))
      expect(found).toHaveLength(1)
      expect(code.split(' ')).toContain(found[0]?.code)
    },
  )
})
