/** Judges `{ document, values: [[name, value]] }` from stdin by the schemas of an OpenAPI document; prints a list of booleans. A process of its own, because Ajv makes code. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const { components, values } = JSON.parse(readFileSync(0, 'utf8'))
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema({ $id: 'openapi', components })
const judges = new Map()
const judgeOf = (name) => {
  if (!judges.has(name)) judges.set(name, ajv.compile({ $ref: `openapi#/components/schemas/${name}` }))
  return judges.get(name)
}
process.stdout.write(JSON.stringify(values.map(([name, value]) => judgeOf(name)(value))))
