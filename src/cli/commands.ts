import { registerApiKeys } from './apikeys/command.js'
import { registerApprovals } from './approvals/command.js'
import { registerAudit } from './audit/command.js'
import { registerBuild } from './build/command.js'
import { registerAgentGuide } from './agent-guide/command.js'
import { registerCompletion } from './completion/command.js'
import { registerConformance } from './conformance/command.js'
import { registerConnections } from './connections/command.js'
import { registerDev } from './dev/command.js'
import { registerDiff } from './diff/command.js'
import { registerImport } from './import/command.js'
import { registerInit } from './init/command.js'
import { registerInvocations } from './invocations/command.js'
import { registerMcp } from './mcp/command.js'
import { registerMigrate } from './migrate/command.js'
import { registerLogin } from './login/command.js'
import { registerKeys } from './keys/command.js'
import { registerOperate } from './operate/command.js'
import type { Register } from './program.js'
import { registerPermissions } from './permissions/command.js'
import { registerSign } from './sign/command.js'
import { registerSigner } from './signer/command.js'
import { registerValidate } from './validate/command.js'
import { registerToken } from './token/command.js'
import { registerCall } from './call/command.js'
import { registerVerify } from './verify/command.js'
import { registerDoctor } from './doctor/command.js'
import { registerEvents } from './events/command.js'
import { registerExplain } from './explain/command.js'
import { registerRules } from './rules/command.js'
import { registerFmt } from './fmt/command.js'
import { registerLsp } from './lsp/command.js'
import { registerSchema } from './schema/command.js'
import { registerTest } from './test/command.js'

/** Heading of the commands that follow it in help. */
const group =
  (heading: string): Register =>
  (program) => {
    program.commandsGroup(`${heading}:`)
  }

/** The commands, in the order in which help shows them, grouped by the reader's task. */
export const COMMANDS: readonly Register[] = [
  group('Write a service'),
  registerInit,
  registerImport,
  registerValidate,
  registerFmt,
  registerTest,
  registerDiff,
  registerExplain,
  registerRules,
  registerBuild,
  registerDev,
  group('Call a service'),
  registerLogin,
  registerConnections,
  registerToken,
  registerPermissions,
  registerCall,
  registerMcp,
  group('Approve and operate'),
  registerApprovals,
  registerOperate,
  registerInvocations,
  registerEvents,
  group('Run a service'),
  registerDoctor,
  registerKeys,
  registerSigner,
  registerApiKeys,
  registerSign,
  registerMigrate,
  group('Verify'),
  registerAudit,
  registerVerify,
  registerConformance,
  group('Tools'),
  registerSchema,
  registerAgentGuide,
  registerCompletion,
  registerLsp,
]
