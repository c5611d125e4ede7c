import { checks } from './checks.js'
import { client } from './client.js'
import { jsonSchemas } from './documents/json-schemas.js'
import { openapi } from './documents/openapi.js'
import { reference } from './documents/reference.js'
import { drafts } from './drafts.js'
import { handlers } from './handlers.js'
import { manifest } from './manifest.js'
import { python } from './python.js'
import { service } from './service.js'
import type { Target } from './target.js'
import { tools } from './tools.js'
import { types } from './types.js'
import { validators } from './validators.js'
import { values } from './values.js'

/** Generated files: code first, then documents, then files that the author owns. */
export const TARGETS: readonly Target[] = [
  client,
  handlers,
  manifest,
  service,
  tools,
  types,
  values,
  validators,
  checks,
  openapi,
  jsonSchemas,
  reference,
  python,
  drafts,
]
