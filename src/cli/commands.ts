import type { Command } from 'commander'
import { registerApiKeys } from './apikeys.js'
import { registerApprovals } from './approvals.js'
import { registerAudit } from './audit.js'
import { registerBuild } from './build.js'
import { registerAgentGuide } from './agent-guide.js'
import { registerCompletion } from './completion.js'
import { registerConformance } from './conformance.js'
import { registerDev } from './dev.js'
import { registerDiff } from './diff.js'
import { registerImport } from './import.js'
import { registerInit } from './init.js'
import { registerInvocations } from './invocations.js'
import { registerMcp } from './mcp.js'
import { registerMigrate } from './migrate.js'
import { registerLogin } from './login.js'
import { registerKeys } from './keys.js'
import { registerOperate } from './operate.js'
import { registerPermissions } from './permissions.js'
import { registerSign } from './sign.js'
import { registerSigner } from './signer.js'
import { registerValidate } from './validate.js'
import { registerToken } from './token.js'
import { registerCall } from './call.js'
import { registerVerify } from './verify.js'
import { registerDoctor } from './doctor.js'
import { registerEvents } from './events.js'
import { registerExplain } from './explain.js'
import { registerRules } from './rules.js'
import { registerFmt } from './fmt.js'
import { registerLsp } from './lsp.js'
import { registerSchema } from './schema.js'
import { registerTest } from './test.js'

/** Adds one command to the program. */
export type Register = (program: Command) => void

/** The commands, in the order in which help shows them. */
export const COMMANDS: readonly Register[] = [
  registerInit,
  registerImport,
  registerValidate,
  registerDiff,
  registerTest,
  registerFmt,
  registerBuild,
  registerDev,
  registerSign,
  registerVerify,
  registerKeys,
  registerSigner,
  registerApiKeys,
  registerLogin,
  registerToken,
  registerCall,
  registerPermissions,
  registerApprovals,
  registerOperate,
  registerInvocations,
  registerEvents,
  registerAudit,
  registerMcp,
  registerExplain,
  registerRules,
  registerMigrate,
  registerSchema,
  registerDoctor,
  registerCompletion,
  registerAgentGuide,
  registerLsp,
  registerConformance,
]
