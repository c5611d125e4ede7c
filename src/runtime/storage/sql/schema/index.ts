import { first } from './001-first.js'
import { rates } from './002-rates.js'
import { rowids } from './003-rowids.js'
import { continuations } from './004-continuations.js'
import { erasure } from './005-erasure.js'
import { identity } from './006-identity.js'
import { secrets } from './007-secrets.js'
import { consoleSessions } from './008-console-sessions.js'
import { deciders } from './009-deciders.js'
import { operators } from './010-operators.js'
import { events } from './011-events.js'
import { resolutions } from './012-resolutions.js'
import { quorum } from './013-quorum.js'
import { readableFrom } from './014-readable-from.js'
import { replacements } from './015-replacements.js'
import { authenticatedRows } from './016-authenticated-rows.js'
import { authenticatedDecisions } from './017-authenticated-decisions.js'
import { serviceOfDatabase } from './018-service-of-database.js'
import { connectionsOfPeople } from './019-connections.js'
import { answeredDecisions } from './020-answered-decisions.js'
import type { Migration } from './migration.js'

/** All migrations, in order. A new one is one file and one line here. */
export const MIGRATIONS: readonly Migration[] = [
  first,
  rates,
  rowids,
  continuations,
  erasure,
  identity,
  secrets,
  consoleSessions,
  deciders,
  operators,
  events,
  resolutions,
  quorum,
  readableFrom,
  replacements,
  authenticatedRows,
  authenticatedDecisions,
  serviceOfDatabase,
  connectionsOfPeople,
  answeredDecisions,
]
