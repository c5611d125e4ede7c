/**
 * The lines of an audit export: canonical JSON, one a line. First the header, then the checkpoints, oldest first, then
 * the entries without a gap, last the seal. `docs/formats.md` describes it for those who write their own verifier.
 */
import type { Checkpoint } from '../../protocol/audit.js'
import type { PublicJwk } from '../../protocol/jwk.js'
import { canonicalBytes, canonicalText } from '../json/canonical.js'
import { signDetached, verifyDetached, type VerifyDetached } from '../jws/jws.js'
import type { RingKey } from '../keys/key-ring.js'
import type { Signer } from '../keys/signer.js'

export const EXPORT_VERSION = 1

export interface ExportHeader {
  readonly svc_audit_export: typeof EXPORT_VERSION
  readonly service_id: string
  /** RFC 3339. */
  readonly exported_at: string
  readonly from_sequence: number
  readonly to_sequence: number
  /** The public keys of role `audit`. They are worth nothing unless the reader trusts them from elsewhere. */
  readonly keys: readonly PublicJwk[]
}

export interface CheckpointLine {
  readonly type: 'checkpoint'
  readonly checkpoint: Checkpoint
  /** The consistency path from the checkpoint before it; empty for the first one. */
  readonly path: readonly string[]
}

/** An entry as the very text that was hashed; where retention has erased it, its leaf hash. */
export type EntryLine = {
  readonly type: 'entry'
  readonly sequence: number
  /** The inclusion path to the root of the last checkpoint. */
  readonly path: readonly string[]
} & ({ readonly leaf: string } | { readonly leaf_hash: string })

/** The seal is over every byte before its line, line feeds included. */
export interface SealLine {
  readonly type: 'seal'
  readonly lines: number
  /** `sha256:<hex>`. */
  readonly sha256: string
  /** Detached JWS by an audit key over the canonical form of the other members. */
  readonly signature: string
}

export type ExportLine = ExportHeader | CheckpointLine | EntryLine | SealLine

/** A line with its line feed. */
export const exportLine = (line: ExportLine): string => `${canonicalText(line)}\n`

/** Seals an export. */
export async function sealOf(signer: Signer, lines: number, sha256: string): Promise<SealLine> {
  const seal = { type: 'seal', lines, sha256 } as const
  return { ...seal, signature: await signDetached(signer, canonicalBytes(seal)) }
}

/** The key that sealed an export, if one of the keys did. */
export function verifySeal(
  { signature, ...seal }: SealLine,
  keys: readonly RingKey[],
  verify: VerifyDetached = verifyDetached,
): { readonly kid: string } | undefined {
  return verify(signature, canonicalBytes(seal), keys)
}
