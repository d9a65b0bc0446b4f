import { keyOf as keyOfText } from '@/lib/contacts/contact-key'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadRef } from '@/lib/contract/lead'
import { isClosed } from '@/lib/contract/lists'
import { forgetKeys, type StorageLike } from './tab-storage'

/** What was written so far, and what stood on the lead when it was begun: who answers meanwhile is told of. */
export type ReplyDraft = {
  subject: string
  body: string
  isQuoted: boolean
  /** The lead's last attempt then (ISO 8601), or null. */
  seenAttempt: string | null
  /** Given to the person's own mail program (ISO 8601), and not noted: whether it left only they know. */
  handedOver?: HandedOver | undefined
}
type HandedOver = { at: string; isFinished: boolean }

export const REPLY_PREFIX = 'intag:reply:'

/**
 * Half-written replies, per person and lead, in the tab only: they outlive a reload, a change of lead, a lost session and what
 * colleagues decide. Another person who signs in meets none of them (`forgetRepliesOfOthers`), and signing out ends them in every
 * tab of the browser (`signed-out.ts`).
 */
export function createReplyDrafts(storage: StorageLike, owner: string) {
  const keyOf = ({ kind, id }: LeadRef) => `${REPLY_PREFIX}${JSON.stringify([owner, kind, id])}`
  const nameKeyOf = ({ kind, id }: LeadRef) => `${REPLY_PREFIX}${JSON.stringify([owner, kind, id, 'name'])}`
  return {
    read: (lead: LeadRef): ReplyDraft | null => draftOf(storage.getItem(keyOf(lead))),
    write: (lead: LeadRef, draft: ReplyDraft): void => {
      try {
        storage.setItem(keyOf(lead), JSON.stringify(draft))
      } catch {
        // Storage may be full or forbidden; the text is still in the field.
      }
    },
    forget: (lead: LeadRef): void => {
      storage.removeItem(keyOf(lead))
      storage.removeItem(nameKeyOf(lead))
    },
    /**
     * Names a mail that is about to go out. The same text to the same lead keeps its name, also over a reload, so that the server
     * sends it once whatever became of the answer; `random` names another text.
     */
    nameMail: (lead: LeadRef, text: string, random: () => string): string => {
      const is = String(keyOfText(text, 0))
      const [before, name] = (storage.getItem(nameKeyOf(lead)) ?? '').split(' ')
      if (before === is && name) return name
      const made = random()
      try {
        storage.setItem(nameKeyOf(lead), `${is} ${made}`)
      } catch {
        // Then it is named for this once.
      }
      return made
    },
    /** Whoever has been told that it may have arrived, and sends it again, means another mail. */
    forgetName: (lead: LeadRef): void => storage.removeItem(nameKeyOf(lead)),
  }
}

/** What somebody did about a lead while a reply to it was half written. */
export type Meanwhile = 'mailed' | 'talked' | 'mine' | 'handled' | 'dismissed'

/** Null: nothing that whoever writes (`me`) must know of before it is sent. */
export function meanwhileOf(
  { attempts: { last }, triage: { status } }: Pick<LeadItem, 'attempts' | 'triage'>,
  seenAttempt: string | null,
  me: string | undefined,
): Meanwhile | null {
  // The lead itself says that one may have been sent.
  const isOthers = last !== null && last.outcome !== 'unsure' && last.at !== seenAttempt && last.by?.id !== me
  if (isOthers) return last.channel === 'phone' ? 'talked' : 'mailed'
  // From another tab, or it was noted although the answer that said so never came.
  if (last?.outcome === 'sent' && seenAttempt === null) return 'mine'
  return isClosed(status) ? status : null
}

/** For the moment in which it is known who is signed in: whatever others left half written in this tab goes. */
export function forgetRepliesOfOthers(storage: StorageLike, owner: string): void {
  const own = `${REPLY_PREFIX}${JSON.stringify([owner]).slice(0, -1)},`
  forgetKeys(storage, (key) => key.startsWith(REPLY_PREFIX) && !key.startsWith(own))
}

function draftOf(stored: string | null): ReplyDraft | null {
  if (stored === null) return null
  try {
    const draft: unknown = JSON.parse(stored)
    return isDraft(draft) ? draft : null
  } catch {
    return null
  }
}

function isDraft(value: unknown): value is ReplyDraft {
  if (typeof value !== 'object' || value === null) return false
  const { subject, body, isQuoted } = value as Partial<ReplyDraft>
  return typeof subject === 'string' && typeof body === 'string' && typeof isQuoted === 'boolean'
}
