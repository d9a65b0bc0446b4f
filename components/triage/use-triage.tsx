import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { lazyCode } from '@/components/browser/lazy-code'
import { useIsLive } from '@/components/browser/live'
import { useFindCommand } from '@/components/desk/commands'
import { useCurrentUser } from '@/components/desk/current-user'
import { toast } from '@/components/ui/toast'
import { contactQuery, dayQuery, listCounts, schoolCounts } from '@/lib/api/queries'
import type { LeadList } from '@/lib/contract/lead'
import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import { LISTS } from '@/lib/contract/lists'
import { isQuestion } from '@/lib/inbox/lead-text'
import { createShownPending, NOTHING_PENDING, type Pending, UNSENT_KEY } from '@/lib/inbox/pending'
import type { KnownLeads } from '@/lib/inbox/pending-changes'
import { createUndoSteps } from '@/lib/inbox/undo-steps'
import type { OwnChanges } from './send-in-order'
import type { createDecisions } from './triage-decisions'

type Decisions = ReturnType<typeof createDecisions>

/** Decides about leads: at once on screen, then on the server in order. A toast says what failed. */
export function useTriage() {
  const t = useTranslations()
  const locale = useLocale()
  const client = useQueryClient()
  const own = useOwn()
  const find = useFindCommand()
  const owner = useCurrentUser()?.id ?? ''
  return useMemo(() => {
    const decisions = async () => {
      const code = await triageCode.want()
      if (code === undefined) toast(t('trouble.cannotDecide'), { tone: 'error', topic: 'triage' })
      return code?.createDecisions({
        client,
        owner,
        ...own.changes(code),
        t,
        locale,
        showRecent: () => find('recentChanges'),
      })
    }
    return {
      change: async (...change: Parameters<Decisions['change']>) => {
        const [leads, , options] = change
        const decided = await decisions()
        // Back to what is still undecided: the next one has come up already.
        if (decided === undefined) options?.onUndone?.(options.from === undefined ? leads : [options.from])
        else decided.change(...change)
      },
      note: async (...noted: Parameters<Decisions['note']>) => {
        const decided = await decisions()
        const [{ item, onTakenBack }, onUndone] = noted
        if (decided !== undefined) return decided.note(...noted)
        onTakenBack?.()
        onUndone?.([{ kind: isQuestion(item) ? 'asked-question' : 'declaration-of-interest', id: item.id }])
      },
      undo: async (onUndone?: Parameters<Decisions['undo']>[0]) => (await decisions())?.undo(onUndone),
      /** Answers later whether nothing that was decided after now is there to take back. */
      mark: own.steps.mark,
      changeMatching: async (...change: Parameters<Decisions['changeMatching']>) =>
        (await (await decisions())?.changeMatching(...change)) ?? false,
      undoRecent: async (...recent: Parameters<Decisions['undoRecent']>) =>
        (await (await decisions())?.undoRecent(...recent)) ?? false,
    }
  }, [client, owner, own, t, locale, find])
}

export const triageCode = lazyCode(async () => {
  const [decisions, nextLead] = await Promise.all([import('./triage-decisions'), import('./next-lead')])
  const { createDecisions, createOwnChanges } = decisions
  const { nextUnhandled, unhandledLeft } = nextLead
  return { createDecisions, createOwnChanges, nextUnhandled, unhandledLeft }
})

type TriageCode = NonNullable<ReturnType<typeof triageCode.read>>

const FORGET_EVERY_MS = 10 * 60_000

/** What the user did in this tab. What lays it over the server's answers comes with the first decision. */
function createOwn() {
  const shown = createShownPending()
  const steps = createUndoSteps()
  let tabs: BroadcastChannel | null = null
  let made: OwnChanges | null = null
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  const onKnown = (leads: KnownLeads) => tabs?.postMessage(leads)
  const changes = (code: TriageCode): OwnChanges =>
    (made ??= code.createOwnChanges(steps, { show: shown.show, onKnown }))
  const learn = async ({ data }: MessageEvent<KnownLeads>) => {
    const code = await triageCode.want()
    if (code !== undefined) changes(code).pending.learn(data)
  }
  return {
    shown,
    steps,
    changes,
    /** Shares with the browser's other tabs what the server has answered. Returns what ends that. */
    connect: () => {
      const channel = new BroadcastChannel('intag:known-leads')
      tabs = channel
      channel.addEventListener('message', learn)
      const timer = setInterval(() => made?.pending.prune(), FORGET_EVERY_MS)
      return () => {
        tabs = null
        channel.close()
        clearInterval(timer)
      }
    },
  }
}

const Own = createContext<ReturnType<typeof createOwn> | null>(null)

export function TriageProvider({ children }: { children: ReactNode }) {
  const [own] = useState(createOwn)
  useEffect(() => own.connect(), [own])
  return <Own value={own}>{children}</Own>
}

/** Sends what was decided in this tab before it was loaded again, as when the network was away. */
export function useSendUnsent(): void {
  const own = useOwn()
  const { change } = useTriage()
  const owner = useCurrentUser()?.id ?? ''
  const send = useEffectEvent(async () => {
    if (sessionStorage.getItem(UNSENT_KEY) === null) return
    const [{ isSignedOut }, code] = await Promise.all([import('@/lib/inbox/drafts'), triageCode.want()])
    if (code === undefined) return
    // Not what was left here before a sign-out in another tab.
    const before = own.changes(code).unsent.takeOver(isSignedOut(sessionStorage, localStorage) ? '' : owner)
    for (const { leads, decision } of before) void change(leads, decision)
  })
  useEffect(() => {
    send().catch(() => {})
  }, [])
}

function useOwn() {
  const own = useContext(Own)
  if (own === null) throw new Error('TriageProvider is missing')
  return own
}

/** What every answer about leads is laid under before it is shown (`lib/inbox/pending-changes.ts`). */
export function usePending(): { pending: Pending; readPending: () => Pending } {
  const { subscribe, read } = useOwn().shown
  return { pending: useSyncExternalStore(subscribe, read, () => NOTHING_PENDING), readPending: read }
}

type ContactOptions = { initialData?: Parameters<Pending['contact']>[0] }

export function useContact(id: string, options: ContactOptions = {}) {
  const { pending } = usePending()
  const { data, error, isError, refetch } = useQuery({ ...contactQuery(id), ...options })
  const contact = useMemo(() => data && pending.contact(data), [pending, data])
  return { data: contact, error, isError, refetch }
}

export function useListCounts(list: LeadList, filter: LeadFilter, isEnabled = true): ListCounts | undefined {
  const { pending } = usePending()
  const { data } = useQuery({ ...listCounts(list, filter), enabled: isEnabled })
  const key = JSON.stringify(filter)
  return useMemo(
    () => data && pending.counts(data, { kind: LISTS[list].kind, filter: JSON.parse(key) as LeadFilter }),
    [pending, data, list, key],
  )
}

export function useSchoolCounts(list: LeadList) {
  const { pending } = usePending()
  const { data } = useQuery(schoolCounts(list, useIsLive()))
  return useMemo(() => data && pending.schoolCounts(list, data), [pending, list, data])
}

/** What there is to do today at these schools, or at all for none. */
export function useDay(schools: readonly string[], isEnabled = true) {
  const { pending } = usePending()
  const me = useCurrentUser()?.id ?? null
  const { data, error, refetch } = useQuery({ ...dayQuery(schools, useIsLive()), enabled: isEnabled })
  const day = useMemo(() => data && pending.day(data, { schools, me }), [pending, data, schools, me])
  return { data: day, error, refetch }
}
