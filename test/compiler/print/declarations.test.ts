/** How the types of a manifest read in TypeScript. */
import { expect, it } from 'vitest'
import {
  importedNames,
  importedWords,
  printNamed,
  printNarrowed,
  printProperties,
  typesOfNamed,
} from '../../../src/compiler/print/declarations.js'
import { printModule, type Writer } from '../../../src/compiler/print/typescript.js'
import type { PropertyPlan } from '../../../src/compiler/plan/property-plan.js'
import type { NamedType } from '../../../src/compiler/plan/structured-types.js'
import type { ValueType } from '../../../src/compiler/plan/value-type.js'

const printed = (write: (writer: Writer) => void): string => printModule([], write)
const word = (of: string): ValueType => ({ kind: 'word', word: of }) as ValueType
const MONEY: ValueType = { kind: 'named', name: 'Money' }
const property = (name: string, type: ValueType, more: Partial<PropertyPlan> = {}): PropertyPlan => ({ name, type, optional: false, nullable: false, comment: [], ...more }) // prettier-ignore

it.each<[ValueType, string]>([
  [word('string'), 'string'],
  [MONEY, 'Money'],
  [{ kind: 'literals', literals: ['a', 2, true] }, "'a' | 2 | true"],
  [{ kind: 'union', members: [MONEY, word('null')] }, 'Money | null'],
  [{ kind: 'list', items: MONEY }, 'readonly Money[]'],
  [{ kind: 'list', items: { kind: 'list', items: MONEY } }, 'readonly (readonly Money[])[]'],
  [{ kind: 'list', items: { kind: 'union', members: [MONEY, word('null')] } }, 'readonly (Money | null)[]'],
  [{ kind: 'map', values: word('number') }, '{ readonly [name: string]: number }'],
  [{ kind: 'map', values: { kind: 'union', members: [word('number'), word('null')] } }, '{ readonly [name: string]: number | null }'],
])('%j is %s', (type, text) => {
  expect(printed((writer) => printProperties(writer, 'A', [], [property('a', type)]))).toBe(`export interface A {\n  readonly a: ${text}\n}\n`)
}) // prettier-ignore

it('writes whether a member may be left out, or null, and what is said of it', () => {
  const members = [
    property('must', word('string')),
    property('may', word('string'), { optional: true, comment: ['Of it.'] }),
    property('null-able', word('string'), { nullable: true }),
    property('both', word('string'), { optional: true, nullable: true }),
  ]
  expect(printed((writer) => printProperties(writer, 'A', ['Of A.'], members))).toBe(`/** Of A. */
export interface A {
  readonly must: string
  /** Of it. */
  readonly may?: string
  readonly 'null-able': string | null
  readonly both?: string | null
}
`)
})

it.each<[string, Partial<NamedType>, string]>([
  ['an object', { properties: [property('a', word('string'))], isOpen: false }, 'export interface Trip {\n  readonly a: string\n}\n'],
  ['an object with members that have no name', { properties: [property('a', word('string'))], isOpen: true }, 'export interface Trip {\n  readonly a: string\n  readonly [name: string]: unknown\n}\n'],
  ['an object without any member', { properties: [], isOpen: false }, 'export type Trip = { readonly [name: string]: never }\n'],
  ['what stands for another type', { type: { kind: 'union', members: [MONEY, word('null')] } }, 'export type Trip = Money | null\n'],
  ['with what is said of it', { comment: ['Of a trip.'], type: MONEY }, '/** Of a trip. */\nexport type Trip = Money\n'],
])('writes what is inside a value: %s', (_, named, text) => {
  expect(printed((writer) => printNamed(writer, { name: 'Trip', comment: [], ...named } as NamedType))).toBe(text)
}) // prettier-ignore

it('narrows what is inside a value by leaving it out of what is narrowed, and nothing else', () => {
  const narrowed = (...types: readonly ValueType[]) =>
    printed((writer) => printNarrowed(writer, 'A', [], 'B', types.map((type, index) => property(`p${index}`, type)))).split('\n')[0] // prettier-ignore
  expect(narrowed(word('string'), { kind: 'literals', literals: ['a'] })).toBe('export interface A extends B {')
  expect(narrowed(word('string'), MONEY, { kind: 'list', items: MONEY })).toBe("export interface A extends Omit<B, 'p1' | 'p2'> {") // prettier-ignore
})

it('imports each word and each name that a type speaks of, once, however deep', () => {
  const types = [
    { type: { kind: 'list', items: word('Json') } as ValueType },
    { type: { kind: 'map', values: word('JsonObject') } as ValueType },
    { type: { kind: 'union', members: [word('readonly Json[]'), word('string'), MONEY] } as ValueType },
    { type: { kind: 'list', items: MONEY } as ValueType },
  ]
  expect(importedWords(types)).toEqual(['Json', 'JsonObject'])
  expect(importedWords([{ type: word('readonly Json[]') }])).toEqual(['Json'])
  expect(importedNames(types)).toEqual(['Money'])
})

it('takes of named types their members, or what they stand for', () => {
  const object = { name: 'A', comment: [], properties: [property('a', MONEY)], isOpen: false } as unknown as NamedType
  const alias = { name: 'B', comment: [], type: word('string') } as unknown as NamedType
  expect(typesOfNamed([object, alias]).map(({ type }) => type)).toEqual([MONEY, word('string')])
})
