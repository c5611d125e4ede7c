import { expect, it } from 'vitest'
import { withdrawnIn } from '../../../src/compiler/shape/formats.js'

it.each([
  [1999, 'BGL'],
  [2002, 'ATS BEF DEM ESP FIM FRF GRD IEP ITL LUF NLG PTE'],
  [2007, 'SIT'],
  [2008, 'CYP MTL'],
  [2009, 'SKK'],
  [2011, 'EEK'],
  [2012, 'ZMK'],
  [2014, 'LVL'],
  [2015, 'LTL'],
  [2018, 'MRO STD VEF'],
  [2021, 'CUC'],
  [2023, 'HRK SLL'],
  [2025, 'ANG'],
  [2026, 'BGN'],
  [undefined, 'EUR USD XYZ toString'],
])('in %s ISO 4217 withdrew %s', (year, currencies) => {
  for (const currency of currencies.split(' ')) expect([currency, withdrawnIn(currency)]).toEqual([currency, year])
})
