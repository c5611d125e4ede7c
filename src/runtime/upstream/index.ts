/** What imported handlers rest on: calls of the service behind this one, with its own credential (`svc-kit/upstream`). */
export { httpUpstream, type HttpCredential, type HttpSettings, type HttpUpstream } from './http.js'
export type { HttpInput, HttpOperation, HttpOutput } from './operation.js'
export { UpstreamUncertain, type UpstreamContext, type UpstreamFailure } from './context.js'
