import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SchemaJudge } from '../../compiler/judge/refusal.js'
import { packageRoot } from '../package-root.js'

/** The published JSON Schema as code, which the build of this package compiles; loaded by commands that judge a manifest. */
export const schemaJudge = async (): Promise<SchemaJudge> =>
  (await import(pathToFileURL(join(packageRoot(), 'dist/bundle/judge/index.js')).href)) as SchemaJudge
