import type { TokenView } from '../definition.js'
import { present } from '../json/present.js'
import type { Token } from './token.js'

/** Returns a token's view for hooks and handlers: never the JWT. */
export const viewOf = ({ claims }: Token): TokenView =>
  present({
    token_id: claims.jti,
    subject: claims.sub,
    root_principal: claims.root_principal,
    scope: claims.scope,
    caller_class: claims.caller_class,
    session_id: claims.session_id,
    purpose: claims.purpose.parameters,
  })
