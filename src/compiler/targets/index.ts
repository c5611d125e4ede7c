import { client } from './client.js'
import { drafts } from './drafts.js'
import { handlers } from './handlers.js'
import { manifest } from './manifest.js'
import { service } from './service.js'
import type { Target } from './target.js'
import { types } from './types.js'
import { validators } from './validators.js'

/** What is generated, `generated/` first, then what the author owns. */
export const TARGETS: readonly Target[] = [client, handlers, manifest, service, types, validators, drafts]
