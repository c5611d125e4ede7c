/** Questions of a handler to whoever calls it, and their answers: data of the caller, never authority. */

/** Kinds of questions that a caller can answer. */
export interface CallerAbilities {
  /** A form for the person in front of the client. */
  readonly form: boolean
  /** A prompt for the client's model. */
  readonly model: boolean
  /** The folders that the client works in. */
  readonly roots: boolean
}

/** Field of a form, as MCP describes it: a primitive, or a choice of one or several. */
export interface FormField {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array'
  readonly title?: string
  readonly description?: string
  readonly default?: string | number | boolean | readonly string[]
  readonly enum?: readonly string[]
  readonly enumNames?: readonly string[]
  readonly oneOf?: readonly Choice[]
  readonly items?: { readonly type?: 'string'; readonly enum?: readonly string[]; readonly anyOf?: readonly Choice[] }
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly format?: 'email' | 'uri' | 'date' | 'date-time'
}

interface Choice {
  readonly const: string
  readonly title: string
}

/** Message of a form with its fields. */
export interface FormQuestion {
  readonly form: string
  readonly fields: { readonly [name: string]: FormField }
  readonly required?: readonly string[]
}

/** Prompt for the model of the caller. */
export interface ModelQuestion {
  readonly model: string
  readonly maxTokens: number
  readonly system?: string
}

export interface RootsQuestion {
  readonly roots: true
}

export type Question = FormQuestion | ModelQuestion | RootsQuestion

/** Questions by their names. */
export interface Questions {
  readonly [name: string]: Question
}

export type FormAnswer =
  | { readonly action: 'accept'; readonly content: { readonly [name: string]: FormValue } }
  | { readonly action: 'decline' | 'cancel' }

export type FormValue = string | number | boolean | readonly string[]

export interface ModelAnswer {
  readonly text: string
  readonly model: string
}

export type RootsAnswer = readonly { readonly uri: string; readonly name?: string }[]

export type AnswerTo<Asked extends Question> = Asked extends FormQuestion
  ? FormAnswer
  : Asked extends ModelQuestion
    ? ModelAnswer
    : RootsAnswer

/** Severity of a message to the caller. */
export type ToldLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error'

/** Party that calls, as far as it can be spoken with: over MCP. */
export interface Caller {
  /** Questions that the caller can answer now. */
  readonly can: CallerAbilities
  /** Tells the caller something while the call runs; does nothing if the caller does not listen. */
  tell(level: ToldLevel, data: string | object): Promise<void>
  /**
   * Asks the caller, and ends this run if an answer lacks: the handler then runs again with the answers. Ask before
   * anything is done. Check `can` first, and treat answers like any input.
   */
  ask<Asked extends Questions>(questions: Asked): Promise<{ readonly [Name in keyof Asked]: AnswerTo<Asked[Name]> }>
}

export const kindOfQuestion = (question: Question): keyof CallerAbilities =>
  'form' in question ? 'form' : 'model' in question ? 'model' : 'roots'

/** Names of values that are never asked for in a form: a client may show and keep what is typed (MCP, elicitation). */
const SENSITIVE = /passw|secret|token|credential|api_?key|cvv|cvc|card|iban|ssn|pin\b/iu

export const isSensitiveName = (name: string): boolean => SENSITIVE.test(name)
