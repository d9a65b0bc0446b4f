import { hashToNumber } from '@/lib/contacts/contact-key'
import type { LeadRef } from '@/lib/contract/lead'
import { draftIndex, MAIL_KEY_PART, NOTE_PREFIX, REPLY_PREFIX, SAVING_KEY_PART, toDraftKey } from './draft-index'
import { listKeys, tryStore } from './browser-storage'

/* Half-written notes and replies are in `sessionStorage` until the tab closes or their writer signs out in any tab. */

/** Each function puts an unsaved text back into the note field whose stored draft has this key. */
const restoreByKey = new Map<string, (text: string) => void>()

export function createNoteDrafts(storage: Storage, owner: string) {
  const noteKey = (lead: LeadRef) => toDraftKey(NOTE_PREFIX, owner, lead)
  const savingKey = (lead: LeadRef) => toDraftKey(NOTE_PREFIX, owner, lead, SAVING_KEY_PART)
  const read = (lead: LeadRef): string => storage.getItem(noteKey(lead)) ?? ''
  const write = (lead: LeadRef, text: string): void => {
    const hadText = storage.getItem(noteKey(lead)) !== null
    const hasText = text.trim() !== ''
    if (hasText) tryStore(storage, noteKey(lead), text)
    else storage.removeItem(noteKey(lead))
    if (hasText !== hadText) draftIndex.notify()
  }
  const readSaving = (lead: LeadRef) => JSON.parse(storage.getItem(savingKey(lead)) ?? '[]') as string[]
  const prependToDraft = (lead: LeadRef, texts: readonly string[]) =>
    write(lead, joinParagraphs([...texts, read(lead)]))
  return {
    read,
    write,
    /** `onRestored` gets a text that could not be saved. The returned function unregisters the field. */
    registerField: (lead: LeadRef, onRestored: (text: string) => void) => {
      restoreByKey.set(noteKey(lead), onRestored)
      return () => {
        if (restoreByKey.get(noteKey(lead)) === onRestored) restoreByKey.delete(noteKey(lead))
      }
    },
    /** Stores a note while it is being saved. Then `finish` removes it, or `restore` makes it a draft again. */
    beginSaving: (lead: LeadRef, text: string) => {
      tryStore(storage, savingKey(lead), JSON.stringify([...readSaving(lead), text]))
      const finish = () => {
        const remaining = readSaving(lead)
        if (remaining.includes(text)) remaining.splice(remaining.indexOf(text), 1)
        if (remaining.length === 0) storage.removeItem(savingKey(lead))
        else tryStore(storage, savingKey(lead), JSON.stringify(remaining))
        draftIndex.notify()
      }
      const restore = () => {
        finish()
        prependToDraft(lead, [text])
        restoreByKey.get(noteKey(lead))?.(text)
      }
      return { finish, restore }
    },
    /** Returns the draft with the notes that were being saved when the page was reloaded. */
    recover: (lead: LeadRef): string => {
      prependToDraft(lead, readSaving(lead))
      storage.removeItem(savingKey(lead))
      return read(lead)
    },
  }
}

export function joinParagraphs(texts: readonly string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n')
}

/** Counts the leads with a note or reply that is half written, being saved or being sent. */
export function countDrafts(storage: Storage, owner: string) {
  const count = (prefix: string) => {
    const keys = listKeys(storage).filter((key) => key.startsWith(toOwnerPrefix(prefix, owner)))
    const leads = keys.map((key) => {
      const [_owner, kind, id] = JSON.parse(key.slice(prefix.length)) as string[]
      return `${kind} ${id}`
    })
    return new Set(leads).size
  }
  return { notes: count(NOTE_PREFIX), replies: count(REPLY_PREFIX) }
}

function toOwnerPrefix(prefix: string, owner: string): string {
  return `${prefix}${JSON.stringify([owner]).slice(0, -1)},`
}

export function isDraftOf(owner: string, key: string): boolean {
  return [NOTE_PREFIX, REPLY_PREFIX].some((prefix) => key.startsWith(toOwnerPrefix(prefix, owner)))
}

export type ReplyDraft = {
  subject: string
  body: string
  /** The moment (ISO 8601) of the lead's last attempt when the reply was begun. */
  seenAttempt: string | null
  handedOver?: HandedOver | undefined
}

/** A reply that may have left Intag. Its attempt is logged once the user confirms it. `handedOverAt` is ISO 8601. */
export type HandedOver = { handedOverAt: string; isFinished: boolean; how: 'opened' | 'copied' | 'unknown' }

export function createReplyDrafts(storage: Storage, owner: string) {
  const replyKey = (lead: LeadRef) => toDraftKey(REPLY_PREFIX, owner, lead)
  const mailKey = (lead: LeadRef) => toDraftKey(REPLY_PREFIX, owner, lead, MAIL_KEY_PART)
  return {
    read: (lead: LeadRef) => JSON.parse(storage.getItem(replyKey(lead)) ?? 'null') as ReplyDraft | null,
    write: (lead: LeadRef, draft: ReplyDraft): void => {
      const isFirst = storage.getItem(replyKey(lead)) === null
      tryStore(storage, replyKey(lead), JSON.stringify(draft))
      if (isFirst) draftIndex.notify()
    },
    forget: (lead: LeadRef): void => draftIndex.forgetReply(storage, owner, lead),
    /** Returns the key of a mail. The same text keeps its key over a reload, so that the server sends it once. */
    getMailKey: (lead: LeadRef, text: string, createKey: () => string): string => {
      const hash = String(hashToNumber(text, 0))
      const [lastHash, lastKey] = (storage.getItem(mailKey(lead)) ?? '').split(' ')
      if (lastHash === hash && lastKey) return lastKey
      const key = createKey()
      tryStore(storage, mailKey(lead), `${hash} ${key}`)
      return key
    },
    /** Once the key is forgotten, the same text is another mail. */
    forgetMailKey: (lead: LeadRef): void => storage.removeItem(mailKey(lead)),
  }
}
