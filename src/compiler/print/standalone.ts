/** The only place where ajv is: schemas become code that imports nothing of it (decisions, section 12). */
import { Ajv2020, _, nil } from 'ajv/dist/2020.js'
import type { UsedScopeValues } from 'ajv/dist/compile/codegen/scope.js'
import type { SchemaEnv } from 'ajv/dist/compile/index.js'
import type { SourceCode } from 'ajv/dist/types/index.js'
import { namesIn, schemaOrder } from '../../protocol/schema-order.js'
import {
  mapSchema,
  publishedSchema,
  VALUE_FORMATS,
  type ValueSchema,
  type ValueSchemas,
} from '../../protocol/value-schema.js'
import { withChoicesByTag } from './choices-by-tag.js'
import { withTypesOfUniqueItems } from './unique-items.js'

export interface StandaloneCode {
  /** JavaScript: functions, and nothing that is imported. */
  readonly text: string
  /** Named values that it needs. */
  readonly needs: ReadonlySet<string>
}

/** Modules that ajv would load at run time -> names under which generated code imports them from the runtime. */
const OURS: ReadonlyMap<string, string> = new Map([
  ['require("ajv/dist/runtime/ucs2length").default', 'codePointLength'],
  ['require("ajv/dist/runtime/equal").default', 'sameJson'],
])

const FORMATS = 'valueFormats'
const PATTERN = 'linearPattern'

/** `Money` -> the id under which ajv knows it. Nothing is ever loaded from there. */
const idOf = (name: string): string => `svc://x-schemas/${name}`

/** Returns the schema for a validator, without the author's texts for people. */
const absolute = (schema: ValueSchema, shared: ValueSchemas): ValueSchema =>
  mapSchema(
    publishedSchema(
      mapSchema(schema, (each) => withChoicesByTag(withTypesOfUniqueItems(each, shared), shared)),
      idOf,
    ),
    ({ title: _1, description: _2, $comment: _3, examples: _4, ...checked }) => checked,
  )

/** Functions that check values, by name. The same schemas give the same text. */
export function standaloneOf(checks: ReadonlyMap<string, ValueSchema>, shared: ValueSchemas): StandaloneCode {
  const ajv = newAjv()
  const order = schemaOrder(checks.values(), shared)
  for (const name of order) ajv.addSchema(absolute(shared[name]!, shared), idOf(name))
  for (const [name, schema] of checks) ajv.addSchema(absolute(schema, shared), name)
  const used: UsedScopeValues = {}
  const text = withOurs(
    withoutEvaluation(() => {
      const inner = order.map((name) => compiledAlone(ajv, idOf(name), shared[name]!))
      const outer = [...checks].map(([name, schema]) => [name, compiledAlone(ajv, name, schema)] as const)
      return [
        ...inner.map((source) => printed(ajv, source, used)),
        ...outer.map(
          ([name, source]) => `${printed(ajv, source, used)}\nexport const ${name} = ${source.validateName.str};`,
        ),
      ].join('\n')
    }),
  )
  const ours = [...OURS.values(), FORMATS, PATTERN]
  return { text: inAscii(text), needs: new Set(ours.filter((name) => text.includes(name))) }
}

const withOurs = (text: string): string =>
  [...OURS].reduce((made, [required, name]) => made.replaceAll(required, name), text)

/**
 * Compiles one schema and none that it refers to: those were compiled before, or are taken for being compiled, which
 * leaves a reference to what they become. ajv alone would go on into each reference, and further than its stack.
 */
function compiledAlone(ajv: Ajv2020, id: string, schema: ValueSchema): SourceCode {
  const still = namesIn(schema).map((name) => ajv.schemas[idOf(name)]!)
  const pending = still.filter((each) => each.validate === undefined && each !== ajv.schemas[id])
  const { _compilations: compiling } = ajv
  for (const each of pending) compiling.add(each)
  const validate = ajv.getSchema(id)
  for (const each of pending) compiling.delete(each)
  return validate!.source!
}

/** The function of one schema, with the constants that it needs and that were not printed before. */
function printed(ajv: Ajv2020, source: SourceCode, used: UsedScopeValues): string {
  const { scopeValues, validateName, validateCode, evaluated } = source
  const constants = ajv.scope.scopeCode(scopeValues, used, (name) =>
    name.prefix === 'wrapper' ? _`const ${name} = {validate: ${(name.value!.ref as SchemaEnv).validateName!}};` : nil,
  )
  const inside = evaluated === undefined ? '' : `${_`${validateName}.evaluated = ${evaluated};`.toString()}\n`
  return `${constants.toString()}${validateCode}\n${inside}`
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
    discriminator: true,
    code: { source: true, esm: true, lines: true, regExp, formats: _`valueFormats` },
  })
  for (const format of VALUE_FORMATS) ajv.addFormat(format, () => true)
  return ajv
}
