/** Compiles the published schema and our templates, and bundles it, the command line and the compiler. The program of the bundler does the same, and prints each of its files. */
import { build } from 'rolldown'
import configs from '../rolldown.config.js'
import { writeSchemaJudge } from './schema-judge.js'
import { writeTemplates } from './templates.js'

writeSchemaJudge()
writeTemplates()
await build(configs)
