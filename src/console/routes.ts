import { approvalRoutes } from './api/approvals.js'
import { connectionRoutes } from './api/connections.js'
import { documentRoutes } from './api/documents.js'
import { meRoutes } from './api/me.js'
import { overviewRoutes } from './api/overview.js'
import { tokenRoutes } from './api/tokens.js'
import { tryRoutes } from './api/try.js'
import { trailRoutes } from './api/trail.js'
import { signInRoutes } from './sign-in/routes.js'
import type { ConsoleRoute } from './visit.js'

/** All endpoints of the console, by the file that has them. A new file is one line here. */
export const ROUTES: readonly ConsoleRoute[] = [
  ...meRoutes,
  ...signInRoutes,
  ...approvalRoutes,
  ...trailRoutes,
  ...tokenRoutes,
  ...connectionRoutes,
  ...overviewRoutes,
  ...documentRoutes,
  ...tryRoutes,
]
