/** Compiles the published schema of manifests to code that needs no ajv, for `svc validate`, `build` and `sign`. */
import { writeFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { manifestSchema } from '../dist/compiler/shape/json-schema.js'
import { SCHEMA_PARTS } from '../dist/compiler/rules/schema-parts.js'

/** Where the bundler finds it. */
export const JUDGE = 'dist/compiler/judge/compiled.js'

export function writeSchemaJudge() {
  const schema = judged(manifestSchema(SCHEMA_PARTS))
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    ownProperties: true,
    inlineRefs: false,
    code: { source: true, esm: true },
  })
  ajv.addSchema(schema)
  const code = standaloneCode.default(ajv, { manifest: schema.$id, fragment: `${schema.$id}#/definitions/fragment` })
  writeFileSync(JUDGE, code)
}

/** Words for people, and for editors. */
const ANNOTATIONS = new Set(['$comment', 'title', 'description', 'examples'])

/** The schema without annotations, and without what takes quadratic time: which objects are alike is left to the rules. */
function judged(schema) {
  if (Array.isArray(schema)) return schema.map(judged)
  if (!isMap(schema)) return schema
  const kept = Object.entries(schema).filter(([name, value]) => isMap(value) || !ANNOTATIONS.has(name))
  const all = Object.fromEntries(kept.map(([name, value]) => [name, judged(value)]))
  // Where it is no flag, it is a member of that name that a schema describes.
  if (all.uniqueItems !== true || isScalar(all.items?.type)) return all
  const { uniqueItems: _, ...rest } = all
  return rest
}

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isScalar = (type) => type !== undefined && ![type].flat().some((each) => each === 'object' || each === 'array')
