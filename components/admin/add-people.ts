import { api } from '@/lib/api/call'
import { ApiError, hasStatus, sleep } from '@/lib/api/send'
import type { LinkMail } from '@/lib/contract/feed-status'
import type { NewUser } from '@/lib/contract/user'
import type { Locale } from '@/lib/i18n/locale'
import { refusalOf } from './user-change'

export type Added =
  | { kind: 'made'; name: string; url: string; mail: LinkMail | null }
  | { kind: 'failed'; why: 'emailTaken' | 'emailWrong' | 'notAllowed' | 'saveFailed' }
export type Todo = readonly NewUser[]
/** `mail`: the language in which the links are mailed. */
type Adding = { mail: Locale | undefined; signal: AbortSignal; onAdded: (email: string, added: Added) => void }

const MAX_TRIES = 4
/** About this address; else the next mails fail as well. */
const OF_ONE_ADDRESS: ReadonlySet<string | undefined> = new Set([undefined, 'sent', 'recipient', 'unsure'])

/** One after the other, each by itself; stops between two. What is not allowed, or without a network, ends it. */
export async function addPeople(people: Todo, { mail, signal, onAdded }: Adding): Promise<void> {
  let language = mail
  for (const person of people) {
    if (signal.aborted) return
    const send = () => api('POST /api/users', { query: { mail: language }, body: person })
    try {
      const { inviteUrl: url, mail: mailed = null } = await patiently(signal, send)
      onAdded(person.email, { kind: 'made', name: person.name, url, mail: mailed })
      if (!OF_ONE_ADDRESS.has(mailed?.outcome)) language = undefined
    } catch (error) {
      if (signal.aborted) return
      const refusal = refusalOf(error)
      const why = typeof refusal === 'string' ? refusal : (refusal.email ?? 'saveFailed')
      onAdded(person.email, { kind: 'failed', why })
      if ([0, 401, 403].some((status) => hasStatus(error, status))) return
    }
  }
}

async function patiently<T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await send()
    } catch (error) {
      const waitMs = error instanceof ApiError ? error.retryAfterMs : null
      if (waitMs === null || tries === MAX_TRIES) throw error
      await sleep(signal, waitMs)
    }
  }
}
