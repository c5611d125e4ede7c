import type { AnswerOverHttp } from '../http/exchange.js'
import type { Service } from '../service.js'

/** Another way to reach the very endpoints, beside the paths of the interface. */
export interface Surface {
  /** Checks whether a request's target (path and query) is answered here. */
  readonly answers: (target: string) => boolean
  readonly open: (service: Service, context: SurfaceContext) => Promise<AnswerOverHttp>
}

export interface SurfaceContext {
  /** The address that others reach the service by, if somebody has said it. */
  readonly publicUrl: string | undefined
  /** The address that the process listens at, once it does. */
  readonly address: () => string
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
