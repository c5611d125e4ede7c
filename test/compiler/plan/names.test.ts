import { describe, expect, it } from 'vitest'
import { identifierOf, methodNameOf, typeNameOf } from '../../../src/compiler/names.js'

describe('names', () => {
  it.each([
    ['search_flights', 'SearchFlights', 'searchFlights', 'searchFlights'],
    ['pay.charge_card', 'PayChargeCard', 'payChargeCard', 'payChargeCard'],
    ['delete', 'Delete', 'delete$', 'delete$'],
    ['audit', 'Audit', 'audit', 'audit$'],
    ['constructor', 'Constructor', 'constructor$', 'constructor$'],
    ['then', 'Then', 'then$', 'then$'],
  ])('%s is %s, %s and %s', (capability, typeName, identifier, method) => {
    expect(typeNameOf(capability)).toBe(typeName)
    expect(identifierOf(capability)).toBe(identifier)
    expect(methodNameOf(identifierOf(capability))).toBe(method)
  })
})
