/** A service in memory, and a context for a single handler, for tests of any runner (`svc-kit/testing`). */
export { testService, type TestServiceOptions, type TestService } from './service.js'
export { testContext, ApprovalAsked, HandlerFailed, type ContextFacts, type TestContext } from './context.js'
export { DEVELOPMENT, type TestPrincipal, type TestPrincipals } from './principals.js'
export type { Terms, AwaitedRequest } from './approvals.js'
export type { TestClock } from './clock.js'
export type { LogLine } from './log.js'
