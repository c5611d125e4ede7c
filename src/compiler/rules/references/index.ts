import type { Rule } from '../rule.js'
import { REFERENCES_CODES } from './codes.js'
import { requiresUnknown } from './requires-unknown.js'
import { requiresSelf } from './requires-self.js'
import { requiresCycle } from './requires-cycle.js'
import { requiresDuplicate } from './requires-duplicate.js'
import { requiresComposedChild } from './requires-composed-child.js'
import { refreshUnknown } from './refresh-unknown.js'
import { refreshSelf } from './refresh-self.js'
import { refreshCycle } from './refresh-cycle.js'
import { refreshNotRead } from './refresh-not-read.js'
import { verifyUnknown } from './verify-unknown.js'
import { verifySelf } from './verify-self.js'
import { verifyNotRead } from './verify-not-read.js'
import { verifyOnRead } from './verify-on-read.js'
import { refDuplicate } from './ref-duplicate.js'
import { refIsScope } from './ref-is-scope.js'
import { refInOtherService } from './ref-in-other-service.js'
import { requiresDeep } from './requires-deep.js'
import { crossToSelf } from './cross-to-self.js'
import { crossDuplicate } from './cross-duplicate.js'
import { crossUnknownInWorkspace } from './cross-unknown-in-workspace.js'

/** The rules of this section; first those that another stage reports. */
export const REFERENCES_RULES: readonly Rule[] = [
  ...REFERENCES_CODES,
  // References [2.4]
  requiresUnknown,
  requiresSelf,
  requiresCycle,
  requiresDuplicate,
  requiresComposedChild,
  refreshUnknown,
  refreshSelf,
  refreshCycle,
  refreshNotRead,
  verifyUnknown,
  verifySelf,
  verifyNotRead,
  verifyOnRead,
  refDuplicate,
  refIsScope,
  refInOtherService,
  requiresDeep,
  // Other services [2.9]
  crossToSelf,
  crossDuplicate,
  crossUnknownInWorkspace,
]
