import type { AnswerOverHttp } from '../http/exchange.js'
import type { Service } from '../service.js'

/** Another way to reach the very endpoints, beside the paths of the interface. */
export interface Surface {
  /** Checks whether a request's target (path and query) is answered here. */
  readonly answers: (target: string) => boolean
  /** Well-known paths among these, which are at the root of the host whatever the base path is (RFC 8615). */
  readonly wellKnown?: readonly string[]
  readonly open: (service: Service, context: SurfaceContext) => Promise<AnswerOverHttp>
}

export interface SurfaceContext {
  /** The address that others reach the service by, with its path and without a slash at its end, if somebody has said it. */
  readonly publicUrl: string | undefined
  /** The path of that address, or below which the service is mounted; empty at the root. */
  readonly base: string
  /** The address that the process listens at, once it does; undefined where an application listens. */
  readonly address: () => string | undefined
  /** True if only this machine can reach the listener. */
  readonly listensOnLoopback: boolean
}

/** Sends each request to the surface of its path, and everything else to the service. */
export async function besideSurfaces(
  service: Service,
  answer: AnswerOverHttp,
  surfaces: readonly Surface[],
  context: SurfaceContext,
): Promise<AnswerOverHttp> {
  if (surfaces.length === 0) return answer
  const opened = await Promise.all(
    surfaces.map(async ({ answers, open }) => ({ answers, respond: await open(service, context) })),
  )
  return (request) => (opened.find(({ answers }) => answers(request.target))?.respond ?? answer)(request)
}

/** The well-known paths of surfaces. */
export const wellKnownOf = (surfaces: readonly Surface[]): readonly string[] =>
  surfaces.flatMap(({ wellKnown = [] }) => wellKnown)
