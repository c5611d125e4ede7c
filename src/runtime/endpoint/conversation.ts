import type { Json, JsonObject } from '../../protocol/manifest.js'
import type { CallerAbilities, Questions, ToldLevel } from '../../protocol/questions.js'

/** A surface over which the caller of an invocation can be told and asked. */
export interface Conversation {
  readonly can: CallerAbilities
  tell(level: ToldLevel, data: Json): Promise<void>
  /** Answers that the caller has given, by the names of their questions; nobody has judged them. */
  readonly answers: JsonObject
  /** Takes the questions that lack an answer. */
  asked(questions: Questions): void
}
