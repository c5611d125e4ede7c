import { expect, it } from 'vitest'
import { rememberNothing } from '../../../src/compiler/plan/memo.js'
import { planService } from '../../../src/compiler/plan/plan-service.js'
import { capability, manifestOf } from '../../runtime/fixture/manifest.js'

const many = (domain: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${domain}.a${index}`, capability()]))

it('gives each module names of its own, also where a domain is called as the second part of another', () => {
  const { modules } = planService(manifestOf({ ...many('pay', 120), ...many('pay2', 60) }), 'svc', rememberNothing)
  expect(modules.map(({ name, typeName, identifier }) => [name, typeName, identifier])).toEqual([
    ['pay', 'Pay', 'pay'],
    ['pay_2', 'Pay2', 'pay2'],
    ['pay2_2', 'Pay22', 'pay22'],
  ])
})

it('gives no file the name of a device', () => {
  const { modules } = planService(manifestOf({ ...many('con', 120), ...many('nul', 80) }), 'svc', rememberNothing)
  expect(modules.map(({ name, typeName, identifier }) => [name, typeName, identifier])).toEqual([
    ['con$', 'Con$', 'con$'],
    ['con_2', 'Con2', 'con2'],
    ['nul$', 'Nul$', 'nul$'],
  ])
})
