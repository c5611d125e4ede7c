/** The only place where ajv is: schemas become code that imports nothing of it (decisions, section 12). */
import { Ajv2020, _ } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import {
  mapSchema,
  publishedSchema,
  VALUE_FORMATS,
  type ValueSchema,
  type ValueSchemas,
} from '../../protocol/value-schema.js'
import { withTypesOfUniqueItems } from './unique-items.js'

export interface StandaloneCode {
  /** JavaScript: functions, and nothing that is imported. */
  readonly text: string
  /** What it needs by name. */
  readonly needs: ReadonlySet<string>
}

/** What ajv would load at run time -> the name under which generated code imports it from the runtime. */
const OURS: ReadonlyMap<string, string> = new Map([
  ['require("ajv/dist/runtime/ucs2length").default', 'codePointLength'],
  ['require("ajv/dist/runtime/equal").default', 'sameJson'],
])

const FORMATS = 'valueFormats'
const PATTERN = 'linearPattern'

/** `Money` -> the id under which ajv knows it. Nothing is ever loaded from there. */
const idOf = (name: string): string => `svc://x-schemas/${name}`

/** What a check is made from: no words of the author for people, so that none is in code. */
const absolute = (schema: ValueSchema, shared: ValueSchemas): ValueSchema =>
  mapSchema(
    publishedSchema(
      mapSchema(schema, (each) => withTypesOfUniqueItems(each, shared)),
      idOf,
    ),
    ({ title: _1, description: _2, $comment: _3, examples: _4, ...checked }) => checked,
  )

/** Functions that check values, by name. The same schemas give the same text. */
export function standaloneOf(checks: ReadonlyMap<string, ValueSchema>, shared: ValueSchemas): StandaloneCode {
  const ajv = newAjv()
  for (const [name, schema] of Object.entries(shared)) ajv.addSchema(absolute(schema, shared), idOf(name))
  const ids: { [name: string]: string } = {}
  for (const [name, schema] of checks) {
    ajv.addSchema(absolute(schema, shared), name)
    ids[name] = name
  }
  const needs = new Set<string>()
  let text = withoutEvaluation(() => standaloneCode.default(ajv as never, ids)).replace(/^"use strict";\n?/u, '')
  for (const [required, name] of OURS)
    if (text.includes(required)) {
      text = text.replaceAll(required, name)
      needs.add(name)
    }
  if (text.includes(FORMATS)) needs.add(FORMATS)
  if (text.includes(PATTERN)) needs.add(PATTERN)
  return { text: inAscii(text), needs }
}

/** Anything else stands in literals only, and nothing that hides or reorders text may stand in code. */
const inAscii = (text: string): string =>
  text.replaceAll(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** ajv makes a function of what it prints. Here nothing is run: no text of a manifest becomes code in the compiler. */
function withoutEvaluation<Made>(make: () => Made): Made {
  const { Function: genuine } = globalThis
  const neverRun = (): unknown => (): unknown => () => true
  globalThis.Function = function Unevaluated() {
    return neverRun()
  } as unknown as FunctionConstructor
  try {
    return make()
  } finally {
    globalThis.Function = genuine
  }
}

function newAjv(): Ajv2020 {
  const regExp = Object.assign((source: string, flags: string) => new RegExp(source, flags), { code: PATTERN })
  const ajv = new Ajv2020({
    // What may stand in a schema was judged before: annotations of ours are no faults here.
    strict: false,
    meta: false,
    validateSchema: false,
    logger: false,
    messages: false,
    ownProperties: true,
    inlineRefs: false,
    code: { source: true, esm: true, lines: true, regExp, formats: _`valueFormats` },
  })
  for (const format of VALUE_FORMATS) ajv.addFormat(format, () => true)
  return ajv
}
