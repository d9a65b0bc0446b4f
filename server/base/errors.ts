import { PROOF_REASON_PREFIX, type ProofMethod } from '@/lib/contract/headers'
import type { MailOutcome, SignOnCause } from '@/lib/contract/service-report'

/** `instanceof` compares tags instead of classes, because Next loads this module several times in one process. */
export abstract class AppError extends Error {
  static readonly tag: string

  constructor(message?: string) {
    super(message)
    this.name = new.target.tag
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && listTags(value.constructor).includes(this.tag)
  }
}

function listTags(errorClass: object | null): unknown[] {
  if (errorClass === null || !('tag' in errorClass)) return []
  return [errorClass.tag, ...listTags(Object.getPrototypeOf(errorClass))]
}

function createErrorClass(tag: string, message: string, reason?: string) {
  abstract class FixedError extends AppError {
    static override readonly tag = tag
    readonly reason = reason

    constructor() {
      super(message)
    }
  }
  return FixedError
}

/** Also thrown for what lies outside the viewer's scope, so that nobody learns whether it exists. */
export class NotFoundError extends createErrorClass('NotFoundError', 'Not Found') {}
export class UnauthenticatedError extends createErrorClass('UnauthenticatedError', 'Unauthenticated') {}
export class ForbiddenError extends createErrorClass('ForbiddenError', 'Unauthorized') {}
export class SecondFactorMissingError extends createErrorClass(
  'SecondFactorMissingError',
  'Second factor missing',
  'second-factor-missing',
) {}
export class WrongProofError extends createErrorClass('WrongProofError', 'Wrong password or code', 'wrong') {}
export class DatabaseUnreachableError extends createErrorClass(
  'DatabaseUnreachableError',
  'The database cannot be reached',
) {}

export class ReauthenticationError extends AppError {
  static override readonly tag = 'ReauthenticationError'
  readonly reason: string

  constructor(proofMethod: ProofMethod) {
    super('Proof needed')
    this.reason = PROOF_REASON_PREFIX + proofMethod
  }
}

/** `field` names the input, never its value; `reason` is for programs. */
export class InvalidInputError extends AppError {
  static override readonly tag = 'InvalidInputError'

  constructor(
    readonly field: string,
    readonly reason?: string,
  ) {
    super(`Bad parameter: ${field}`)
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

/** `message` is shown to the user. */
export class ConflictError extends AppError {
  static override readonly tag = 'ConflictError'
}

export class NotReadyError extends AppError {
  static override readonly tag: string = 'NotReadyError'

  constructor(
    message = 'Not ready yet',
    readonly retryAfterSeconds = 5,
  ) {
    super(message)
  }
}

/** `detail` holds codes for an administrator, never an address. */
export class MailNotSentError extends AppError {
  static override readonly tag = 'MailNotSentError'

  constructor(
    readonly reason: Exclude<MailOutcome, 'sent'> | 'mail-not-set-up' | 'no-address',
    readonly detail = '',
  ) {
    super(`Mail not sent: ${reason}`)
  }
}

/** `signOnCause` is shown to the user; the message is for the log and for administrators. */
export class SignOnError extends AppError {
  static override readonly tag = 'SignOnError'

  constructor(
    readonly signOnCause: SignOnCause,
    message: string,
  ) {
    super(message)
  }
}
