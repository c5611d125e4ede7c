/** Judges `{ schema, value, options }` from stdin by JSON Schema; prints what is wrong, as JSON. A process of its own, because Ajv makes code. */
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const { schema, value, options } = JSON.parse(readFileSync(0, 'utf8'))
const ajv = schema.$schema?.includes('2020-12') ? new Ajv2020(options) : new Ajv(options)
addFormats.default(ajv)
// What editors read beside the standard.
ajv.addVocabulary(['markdownDescription', 'enumDescriptions', 'markdownEnumDescriptions', 'defaultSnippets'])
const validate = ajv.compile(schema)
process.stdout.write(JSON.stringify(value === undefined || validate(value) ? [] : validate.errors))
