/** Compiles the published schema, and bundles it, the command line and the compiler. The program of the bundler does the same, and prints each of its files. */
import { build } from 'rolldown'
import configs from '../rolldown.config.js'
import { writeSchemaJudge } from './schema-judge.js'

writeSchemaJudge()
await build(configs)
