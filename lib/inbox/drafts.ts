import type { LeadItem } from '@/lib/api/leads'
import { hashToNumber as keyOfText } from '@/lib/contacts/contact-key'
import type { LeadRef } from '@/lib/contract/lead'
import { isClosed } from '@/lib/contract/lists'
import { forgetKeys, keysIn, type StorageLike } from './search-text'
import { UNSENT_KEY } from './own-changes'
import { draftKey, MAIL_KEY_PART, NOTE_PREFIX, REPLY_PREFIX, draftIndex, SAVING_KEY_PART } from './draft-index'

function tryStore(storage: Pick<Storage, 'setItem'>, key: string, text: string): void {
  try {
    storage.setItem(key, text)
  } catch {
    // Storage may be full or forbidden. A text is still in its field.
  }
}

/** The fields on screen, by the key of their draft. */
const fields = new Map<string, (text: string) => void>()

/**
 * Half-written notes and replies, in the tab only: they outlive a change of lead, a reload, a lost session and another
 * user's, who never sees them. They end with the tab, or when their writer signs out in any tab of the browser.
 */
export function createNoteDrafts(storage: StorageLike, owner: string) {
  const noteDraftKey = (lead: LeadRef) => draftKey(NOTE_PREFIX, owner, lead)
  const savingNotesKey = (lead: LeadRef) => draftKey(NOTE_PREFIX, owner, lead, SAVING_KEY_PART)
  const read = (lead: LeadRef): string => storage.getItem(noteDraftKey(lead)) ?? ''
  const write = (lead: LeadRef, text: string): void => {
    const isBegun = text.trim() !== ''
    const hasChanged = isBegun !== (storage.getItem(noteDraftKey(lead)) !== null)
    if (isBegun) tryStore(storage, noteDraftKey(lead), text)
    else storage.removeItem(noteDraftKey(lead))
    if (hasChanged) draftIndex.notify()
  }
  const readSaving = (lead: LeadRef) => JSON.parse(storage.getItem(savingNotesKey(lead)) ?? '[]') as string[]
  const prependToDraft = (lead: LeadRef, texts: readonly string[]) => write(lead, joinParagraphs([...texts, read(lead)]))
  return {
    read,
    write,
    /** While a field is shown, what could not be saved comes back into it: `onBack` gets the text. */
    registerField: (lead: LeadRef, onBack: (text: string) => void) => {
      fields.set(noteDraftKey(lead), onBack)
      return () => {
        if (fields.get(noteDraftKey(lead)) === onBack) fields.delete(noteDraftKey(lead))
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
        fields.get(noteDraftKey(lead))?.(text)
      }
      return { saved, failed }
    },
    /** The draft, with what was being saved when the page was loaded again. */
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

/** The leads with a text of this user that is half written, or being saved or sent. */
export function countDrafts(storage: StorageLike, owner: string): DraftCount {
  const count = (prefix: string, ...parts: (string | undefined)[]) => {
    const own = keysIn(storage).filter((key) => key.startsWith(ownerPrefix(prefix, owner)))
    const names = own.map((key) => JSON.parse(key.slice(prefix.length)) as (string | undefined)[])
    const texts = names.filter(([_owner, _kind, _id, part]) => parts.includes(part))
    return new Set(texts.map(([_owner, kind, id]) => `${kind} ${id}`)).size
  }
  return { notes: count(NOTE_PREFIX, undefined, SAVING_KEY_PART), replies: count(REPLY_PREFIX, undefined) }
}

function ownerPrefix(prefix: string, owner: string): string {
  return `${prefix}${JSON.stringify([owner]).slice(0, -1)},`
}

function isDraftOf(owner: string, key: string): boolean {
  return [NOTE_PREFIX, REPLY_PREFIX].some((prefix) => key.startsWith(ownerPrefix(prefix, owner)))
}

export type ReplyDraft = {
  subject: string
  body: string
  /** The lead's last attempt (ISO 8601) when it was begun, so that an answer of a colleague is noticed. */
  seenAttempt: string | null
  handedOver?: HandedOver | undefined
}

/**
 * Given away (`at`: ISO 8601), and not noted until its user says that it was sent: opened outside Intag, or sent by Intag
 * over a connection that broke.
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
    /** The key of a mail. The same text to the same lead keeps it over a reload, so that the server sends it once. */
    getMailKey: (lead: LeadRef, text: string, random: () => string): string => {
      const hash = String(keyOfText(text, 0))
      const [before, name] = (storage.getItem(mailStorageKey(lead)) ?? '').split(' ')
      if (before === hash && name) return name
      const made = random()
      tryStore(storage, mailStorageKey(lead), `${hash} ${made}`)
      return made
    },
    /** What came of it is known: sent again, it is another mail. */
    forgetMailKey: (lead: LeadRef): void => storage.removeItem(mailStorageKey(lead)),
  }
}

export type ReplyConflict = 'mailed' | 'talked' | 'mine' | 'handled' | 'dismissed'

/** Null: nothing that the writer (`me`) must know before sending. */
export function findReplyConflict(
  { attempts: { last }, triage: { status } }: Pick<LeadItem, 'attempts' | 'triage'>,
  seenAttempt: string | null,
  me: string | undefined,
): ReplyConflict | null {
  const isOthers = last !== null && last.at !== seenAttempt && last.by?.id !== me
  if (isOthers) return last.channel === 'phone' ? 'talked' : 'mailed'
  // From another tab, or noted although the answer of the server never came.
  if (last?.outcome === 'sent' && seenAttempt === null) return 'mine'
  return isClosed(status) ? status : null
}

/** In the browser the name of each user's last sign-out, in each tab that of the last one it knows of. */
const SIGN_OUT_PREFIX = 'intag:signed-out:'

/** Tells the browser's other tabs of a sign-out, also those that are asleep or closed. `name` is new each time. */
export function recordSignOut(localStorage: Pick<Storage, 'setItem'>, owner: string, name: string): void {
  tryStore(localStorage, SIGN_OUT_PREFIX + owner, name)
}

/** Removes all that a user left in this tab. What others wrote before stays for them, unseen. */
export function forgetUser(sessionStorage: StorageLike, owner: string): void {
  const stays = [NOTE_PREFIX, REPLY_PREFIX, SIGN_OUT_PREFIX]
  forgetKeys(sessionStorage, (key) => isDraftOf(owner, key) || !stays.some((prefix) => key.startsWith(prefix)))
}

/** When a tab loads: drafts from before their writer's sign-out are removed. A session that ended otherwise keeps them. */
export function forgetSignedOut(sessionStorage: StorageLike, localStorage: StorageLike): void {
  const owners = findSignedOutOwners(sessionStorage, localStorage)
  for (const owner of owners) {
    forgetKeys(sessionStorage, (key) => isDraftOf(owner, key) || key === UNSENT_KEY)
    tryStore(sessionStorage, SIGN_OUT_PREFIX + owner, localStorage.getItem(SIGN_OUT_PREFIX + owner) ?? '')
  }
  if (owners.length > 0) draftIndex.notify()
}

export function isSignedOut(sessionStorage: Pick<Storage, 'getItem'>, localStorage: StorageLike): boolean {
  return findSignedOutOwners(sessionStorage, localStorage).length > 0
}

function findSignedOutOwners(sessionStorage: Pick<Storage, 'getItem'>, localStorage: StorageLike): string[] {
  return keysIn(localStorage)
    .filter((key) => key.startsWith(SIGN_OUT_PREFIX) && localStorage.getItem(key) !== sessionStorage.getItem(key))
    .map((key) => key.slice(SIGN_OUT_PREFIX.length))
}

type TabLike = Pick<EventTarget, 'addEventListener'> & {
  sessionStorage: StorageLike
  localStorage: StorageLike
  location: Pick<Location, 'assign'>
}

/** After a sign-out in another tab this one shows nothing any more, and has nothing of who signed out. */
export function watchSignOuts(tab: TabLike, signal: AbortSignal): void {
  if (signal.aborted) return
  forgetSignedOut(tab.sessionStorage, tab.localStorage)
  const onStorage = (event: Event) => {
    const { key, newValue } = event as StorageEvent
    if (!key?.startsWith(SIGN_OUT_PREFIX) || newValue === null) return
    forgetUser(tab.sessionStorage, key.slice(SIGN_OUT_PREFIX.length))
    tab.location.assign('/signin?signedOut')
  }
  tab.addEventListener('storage', onStorage, { signal })
}
