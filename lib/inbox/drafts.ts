import type { LeadItem } from '@/lib/api/leads'
import { hashToNumber } from '@/lib/contacts/contact-key'
import type { LeadRef } from '@/lib/contract/lead'
import { isClosed } from '@/lib/contract/lists'
import { draftIndex, draftKey, MAIL_KEY_PART, NOTE_PREFIX, REPLY_PREFIX, SAVING_KEY_PART } from './draft-index'
import { listKeys, type StorageLike } from './search-text'

/** These functions put a text back into a field on screen, by the storage key of its draft. */
const shownFields = new Map<string, (text: string) => void>()

/**
 * Half-written notes and replies are kept in `sessionStorage`, so they survive a change of lead, a reload, a lost session, and
 * another user's session, who never sees them. They are removed when the tab closes or their writer signs out in any tab.
 */
export function createNoteDrafts(storage: StorageLike, owner: string) {
  const noteDraftKey = (lead: LeadRef) => draftKey(NOTE_PREFIX, owner, lead)
  const savingNotesKey = (lead: LeadRef) => draftKey(NOTE_PREFIX, owner, lead, SAVING_KEY_PART)
  const read = (lead: LeadRef): string => storage.getItem(noteDraftKey(lead)) ?? ''
  const write = (lead: LeadRef, text: string): void => {
    const hasText = text.trim() !== ''
    const hasChanged = hasText !== (storage.getItem(noteDraftKey(lead)) !== null)
    if (hasText) tryStore(storage, noteDraftKey(lead), text)
    else storage.removeItem(noteDraftKey(lead))
    if (hasChanged) draftIndex.notify()
  }
  const readSaving = (lead: LeadRef) => JSON.parse(storage.getItem(savingNotesKey(lead)) ?? '[]') as string[]
  const prependToDraft = (lead: LeadRef, texts: readonly string[]) =>
    write(lead, joinParagraphs([...texts, read(lead)]))
  return {
    read,
    write,
    /** Registers a field on screen: `onRestored` gets a text that could not be saved. Returns a function that unregisters it. */
    registerField: (lead: LeadRef, onRestored: (text: string) => void) => {
      shownFields.set(noteDraftKey(lead), onRestored)
      return () => {
        if (shownFields.get(noteDraftKey(lead)) === onRestored) shownFields.delete(noteDraftKey(lead))
      }
    },
    /** Keeps a note while it is being saved; `failed` makes it a draft again. */
    beginSaving: (lead: LeadRef, text: string) => {
      tryStore(storage, savingNotesKey(lead), JSON.stringify([...readSaving(lead), text]))
      const saved = () => {
        const left = readSaving(lead)
        if (left.includes(text)) left.splice(left.indexOf(text), 1)
        if (left.length === 0) storage.removeItem(savingNotesKey(lead))
        else tryStore(storage, savingNotesKey(lead), JSON.stringify(left))
        draftIndex.notify()
      }
      const failed = () => {
        saved()
        prependToDraft(lead, [text])
        shownFields.get(noteDraftKey(lead))?.(text)
      }
      return { saved, failed }
    },
    /** Returns the draft, together with notes that were still being saved when the page was reloaded. */
    recover: (lead: LeadRef): string => {
      prependToDraft(lead, readSaving(lead))
      storage.removeItem(savingNotesKey(lead))
      return read(lead)
    },
  }
}

export function joinParagraphs(texts: readonly string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n')
}

export type DraftCount = { notes: number; replies: number }

/** Counts the leads with a text of this user that is half written, or being saved or sent. */
export function countDrafts(storage: StorageLike, owner: string): DraftCount {
  const count = (prefix: string, ...parts: (string | undefined)[]) => {
    const own = listKeys(storage).filter((key) => key.startsWith(ownerPrefix(prefix, owner)))
    const names = own.map((key) => JSON.parse(key.slice(prefix.length)) as (string | undefined)[])
    const texts = names.filter(([_owner, _kind, _id, part]) => parts.includes(part))
    return new Set(texts.map(([_owner, kind, id]) => `${kind} ${id}`)).size
  }
  return { notes: count(NOTE_PREFIX, undefined, SAVING_KEY_PART), replies: count(REPLY_PREFIX, undefined) }
}

function ownerPrefix(prefix: string, owner: string): string {
  return `${prefix}${JSON.stringify([owner]).slice(0, -1)},`
}

export function isDraftOf(owner: string, key: string): boolean {
  return [NOTE_PREFIX, REPLY_PREFIX].some((prefix) => key.startsWith(ownerPrefix(prefix, owner)))
}

export type ReplyDraft = {
  subject: string
  body: string
  /** The lead's last attempt was at this moment (ISO 8601) when the reply was begun, so that a colleague's answer is noticed. */
  seenAttempt: string | null
  handedOver?: HandedOver | undefined
}

/**
 * The text has left Intag, or may have: it was opened in a mail program, copied, or sent over a connection that broke. The
 * attempt is logged when the user says that it was sent. `handedOverAt` is ISO 8601.
 */
export type HandedOver = { handedOverAt: string; isFinished: boolean; how: 'opened' | 'copied' | 'unknown' }

export function createReplyDrafts(storage: StorageLike, owner: string) {
  const replyDraftKey = (lead: LeadRef) => draftKey(REPLY_PREFIX, owner, lead)
  const mailStorageKey = (lead: LeadRef) => draftKey(REPLY_PREFIX, owner, lead, MAIL_KEY_PART)
  return {
    read: (lead: LeadRef) => JSON.parse(storage.getItem(replyDraftKey(lead)) ?? 'null') as ReplyDraft | null,
    write: (lead: LeadRef, draft: ReplyDraft): void => {
      const isFirst = storage.getItem(replyDraftKey(lead)) === null
      tryStore(storage, replyDraftKey(lead), JSON.stringify(draft))
      if (isFirst) draftIndex.notify()
    },
    forget: (lead: LeadRef): void => draftIndex.forgetReply(storage, owner, lead),
    /** Returns the key of a mail. The same text to the same lead keeps it over a reload, so that the server sends it once. */
    getMailKey: (lead: LeadRef, text: string, random: () => string): string => {
      const hash = String(hashToNumber(text, 0))
      const [storedHash, storedKey] = (storage.getItem(mailStorageKey(lead)) ?? '').split(' ')
      if (storedHash === hash && storedKey) return storedKey
      const newKey = random()
      tryStore(storage, mailStorageKey(lead), `${hash} ${newKey}`)
      return newKey
    },
    /** Removes the key once the outcome is known. Sent again, the text is another mail. */
    forgetMailKey: (lead: LeadRef): void => storage.removeItem(mailStorageKey(lead)),
  }
}

export type ReplyConflict = 'mailed' | 'talked' | 'mine' | 'handled' | 'dismissed'

/** Finds what happened to the lead since the reply was begun, or null if the writer (`me`) need not know anything before sending. */
export function findReplyConflict(
  { attempts: { last }, triage: { status } }: Pick<LeadItem, 'attempts' | 'triage'>,
  seenAttempt: string | null,
  me: string | undefined,
): ReplyConflict | null {
  const isColleagues = last !== null && last.at !== seenAttempt && last.by?.id !== me
  if (isColleagues) return last.channel === 'phone' ? 'talked' : 'mailed'
  // The reply was sent from another tab, or it was sent and the server's answer never came.
  if (last?.outcome === 'sent' && seenAttempt === null) return 'mine'
  return isClosed(status) ? status : null
}

export function tryStore(storage: Pick<Storage, 'setItem'>, key: string, text: string): void {
  try {
    storage.setItem(key, text)
  } catch {
    // Storage may be full or forbidden. Nothing is lost at once, because the text is still in its field.
  }
}
