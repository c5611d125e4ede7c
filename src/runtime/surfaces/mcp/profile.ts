import type { JsonObject } from '../../../protocol/manifest.js'
import { everyMinimumScope } from '../../auth/root-authority.js'
import { tokenRequestOf } from '../../auth/token-request.js'
import { StartUpError } from '../../errors/start-up-error.js'
import type { Service } from '../../service.js'
import type { McpOptions, McpProfile } from './options.js'

/** Refuses to start with a profile that can let nobody in, or that would let an agent approve. */
export function assertProfile(service: Service, options: McpOptions): void {
  const { profile, publicUrl } = options
  if (profile === undefined) return
  const problems = [
    ...(publicUrl === undefined ? ['It needs publicUrl (SVC_PUBLIC_URL): tokens are issued for <publicUrl>/mcp.'] : []),
    ...(service.providers.length === 0 ? ['It needs an identity provider: createService({ oidc: [...] }).'] : []),
    ...scopeProblems(service, profile),
    ...ttlProblems(service, profile),
  ]
  if (profile.budget !== undefined)
    tokenRequestOf({ scope: ['any'], budget: profile.budget as object as JsonObject }, service.limits)
  if (problems.length > 0) throw new StartUpError(`The profile of mcp() cannot be used:\n- ${problems.join('\n- ')}`)
}

function scopeProblems({ manifest }: Service, { scope }: McpProfile): readonly string[] {
  const usable = [...new Set(everyMinimumScope(manifest))]
  if (scope.length === 0) return [`Its scope is empty. Capabilities need ${usable.join(', ')}.`]
  const unknown = scope.filter((each) => !usable.includes(each))
  return unknown.map((each) => `No capability needs the scope ${JSON.stringify(each)}; they need ${usable.join(', ')}.`)
}

function ttlProblems({ manifest }: Service, { ttlHours }: McpProfile): readonly string[] {
  const most = manifest.limits.max_ttl_hours
  if (ttlHours === undefined || (ttlHours > 0 && ttlHours <= most)) return []
  return [`Its ttlHours must be above 0 and ${most} at most, found ${ttlHours}.`]
}
