import type { ActorPolicy } from 'svc-kit/runtime'

/** What follows from who calls: a tenant from the root principal, and its currency. */
export const actorPolicy: ActorPolicy = ({ input, token }) => {
  if (input === 'tenant') return token.root_principal.split('@')[1] ?? 'default'
  return input === 'currency' ? 'EUR' : undefined
}
