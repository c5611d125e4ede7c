import { client } from './client.js'
import { handlers } from './handlers.js'
import { manifest } from './manifest.js'
import { service } from './service.js'
import type { Target } from './target.js'
import { types } from './types.js'
import { validators } from './validators.js'

/** What is generated, in the order of paths in `generated/`. */
export const TARGETS: readonly Target[] = [client, handlers, manifest, service, types, validators]
