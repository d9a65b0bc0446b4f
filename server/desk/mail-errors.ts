import 'server-only'
import { AppError } from '@/server/errors'
import type { MailFailure } from './mailer'

/** Why a reply did not get away, or, `not-noted`, that it did and could not be written down. */
export type ReplyFailure = MailFailure | 'not-noted'

/** In words for whoever wrote it. The browser has its own, by `reason`. */
const WORDS: Readonly<Record<ReplyFailure, string>> = {
  unreachable: 'Not sent: the mail server cannot be reached. Try again in a while; what you have written is still here',
  'timed-out': 'Not sent: the mail server took too long to answer. Try again in a while',
  refused:
    'Not sent: the mail server did not take it. Tell your administrator, and use your own mail program meanwhile',
  recipient: 'Not sent: the mail server does not take mail to this address. Is it spelt right?',
  unsure:
    'The connection broke while it was being sent: it may have arrived, or not. Ask the person before you send it again',
  'not-noted':
    'It was sent, but that could not be noted yet. Do not send it again; it will be noted as soon as it can be',
}

/** `detail`: codes for an administrator, never an address. */
export class MailNotSentError extends AppError {
  static override readonly tag = 'MailNotSentError'

  constructor(
    readonly reason: ReplyFailure,
    readonly detail: string,
  ) {
    super(WORDS[reason])
  }

  /** Then it must not be sent again in silence. */
  get mayBeSent(): boolean {
    return this.reason === 'unsure' || this.reason === 'not-noted'
  }
}

/** SMTP_URL and MAIL_FROM are not set. */
export class MailNotSetUpError extends AppError {
  static override readonly tag = 'MailNotSetUpError'
  readonly reason = 'mail-not-set-up'

  constructor() {
    super('Intag cannot send mail: SMTP_URL and MAIL_FROM are not set')
  }
}

/** The lead has no e-mail address that a mail could go to. */
export class NoMailAddressError extends AppError {
  static override readonly tag = 'NoMailAddressError'
  readonly reason = 'no-address'

  constructor() {
    super('This lead has no e-mail address that mail can be sent to')
  }
}
