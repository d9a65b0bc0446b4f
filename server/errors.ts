import 'server-only'

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

  constructor(readonly retryAfterSeconds: number) {
    super('Too many tries')
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
