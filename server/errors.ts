import 'server-only'
import type { MailOutcome } from '@/lib/contract/mail'

/**
 * What can go wrong in a verb, in words that know nothing of HTTP; `server/http` maps each kind once. Next loads
 * this module several times in one process, so `instanceof` goes by the name and not by which copy made the error.
 */
export abstract class AppError extends Error {
  static readonly tag: string

  constructor(message?: string) {
    super(message)
    this.name = new.target.tag
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === this.tag
  }
}

/** `field` names what the caller got wrong, never its value; `reason` is a word for programs, where there are several. */
export class InvalidInputError extends AppError {
  static override readonly tag = 'InvalidInputError'

  constructor(
    readonly field: string,
    readonly reason?: string,
  ) {
    super(`Bad parameter: ${field}`)
  }
}

/** Also for what exists but lies outside the viewer's reach: the two must look alike. */
export class NotFoundError extends AppError {
  static override readonly tag = 'NotFoundError'

  constructor() {
    super('Not Found')
  }
}

export class UnauthenticatedError extends AppError {
  static override readonly tag = 'UnauthenticatedError'

  constructor() {
    super('Unauthenticated')
  }
}

export class ForbiddenError extends AppError {
  static override readonly tag = 'ForbiddenError'

  constructor() {
    super('Unauthorized')
  }
}

/** The person must first show anew that it is they: with their password or second factor (`server/access/step-up.ts`). */
export class ProofNeededError extends AppError {
  static override readonly tag = 'ProofNeededError'
  readonly reason = 'proof-needed'

  constructor() {
    super('Proof needed')
  }
}

/** Their role asks for a second factor, and they have none yet: all they may do is get one. */
export class SecondFactorMissingError extends AppError {
  static override readonly tag = 'SecondFactorMissingError'
  readonly reason = 'second-factor-missing'

  constructor() {
    super('Second factor missing')
  }
}

/** A password, code or passkey that is not theirs. */
export class WrongProofError extends AppError {
  static override readonly tag = 'WrongProofError'
  readonly reason = 'wrong'

  constructor() {
    super('Wrong password or code')
  }
}

export class TooManyTriesError extends AppError {
  static override readonly tag = 'TooManyTriesError'

  constructor(
    readonly retryAfterSeconds: number,
    readonly reason?: 'recipient-busy',
  ) {
    super(reason ? 'As many mails as may be sent to one person have been sent' : 'Too many tries')
  }
}

/** The request is well formed, but what is stored forbids it; `message` is shown to the person. */
export class ConflictError extends AppError {
  static override readonly tag = 'ConflictError'
}

/** Nothing to answer from yet, or something needed cannot be reached; worth another try. */
export class NotReadyError extends AppError {
  static override readonly tag = 'NotReadyError'

  constructor(
    message = 'Not ready yet',
    readonly retryAfterSeconds = 5,
  ) {
    super(message)
  }
}

/** The database is away, and with it every change; `server/http` says so of whatever fails by it. Worth another try. */
export class DatabaseUnreachableError extends AppError {
  static override readonly tag = 'DatabaseUnreachableError'

  constructor() {
    super('The database cannot be reached')
  }
}

/** Why a reply did not go out, or, `unsure`, may have. */
export type MailProblem = Exclude<MailOutcome, 'sent'> | 'mail-not-set-up' | 'no-address' | 'other-text'

/** In words for whoever wrote it. The browser has its own, by `reason`. */
const MAIL_WORDS: Readonly<Record<MailProblem, string>> = {
  unreachable: 'Not sent: the mail server cannot be reached. Try again in a while; what you have written is still here',
  'timed-out': 'Not sent: the mail server took too long to answer. Try again in a while',
  refused:
    'Not sent: the mail server did not take it. Tell your administrator, and use your own mail program meanwhile',
  recipient: 'Not sent: the mail server does not take mail to this address. Is it spelt right?',
  'try-later': 'Not sent: the mail server cannot take it just now. Try again in a while',
  unsure:
    'The connection broke while it was being sent: it may have arrived, or not. Ask the person before you send it again',
  'mail-not-set-up': 'Intag cannot send mail: SMTP_URL and MAIL_FROM are not set',
  'other-text': 'A mail of this key, with another text, was sent about this lead before',
  'no-address': 'This lead has no e-mail address that mail can be sent to',
}

/** `detail`: codes for an administrator, never an address. */
export class MailNotSentError extends AppError {
  static override readonly tag = 'MailNotSentError'

  constructor(
    readonly reason: MailProblem,
    readonly detail = '',
  ) {
    super(MAIL_WORDS[reason])
  }
}
