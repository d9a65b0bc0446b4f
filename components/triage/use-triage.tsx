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
import { serverTime } from '@/lib/api/send'
import type { LeadList } from '@/lib/contract/lead'
import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import { LISTS } from '@/lib/contract/lists'
import { isQuestion } from '@/lib/inbox/lead-text'
import {
  createPendingChanges,
  foldContact,
  KEPT_MS,
  type KnownLeads,
  NOTHING_PENDING,
  type Pending,
} from '@/lib/inbox/pending-changes'
import { foldCounts, foldDay, foldSchoolCounts } from '@/lib/inbox/pending-numbers'
import { createUndoSteps } from '@/lib/inbox/undo-steps'
import { tabUnsent } from '@/lib/inbox/unsent'
import type { OwnChanges } from './send-in-order'
import type { createDecisions } from './triage-decisions'

type Decisions = ReturnType<typeof createDecisions>

/** Decides about leads: at once on screen, then on the server in order. A toast says what failed. */
export function useTriage() {
  const t = useTranslations()
  const locale = useLocale()
  const client = useQueryClient()
  const own = useOwnChanges()
  const find = useFindCommand()
  const owner = useCurrentUser()?.id ?? ''
  return useMemo(() => {
    const decisions = async () => {
      const code = await triageCode.want()
      if (code === undefined) toast(t('trouble.cannotDecide'), { tone: 'error', topic: 'triage' })
      return code?.createDecisions({ client, owner, ...own, t, locale, showRecent: () => find('recentChanges') })
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
  const { nextUnhandled, unhandledLeft } = nextLead
  return { ...decisions, nextUnhandled, unhandledLeft }
})

const Own = createContext<OwnChanges | null>(null)

export function TriageProvider({ children }: { children: ReactNode }) {
  const [own] = useState(() => ({
    pending: createPendingChanges(() => serverTime(Date.now())),
    steps: createUndoSteps(),
    unsent: tabUnsent,
  }))
  useEffect(() => {
    const channel = new BroadcastChannel('intag:known-leads')
    channel.addEventListener('message', ({ data }: MessageEvent<KnownLeads>) => own.pending.learn(data))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
    const stop = own.pending.onKnown((leads) => channel.postMessage(leads))
    const pruning = setInterval(own.pending.prune, KEPT_MS)
    return () => {
      stop()
      channel.close()
      clearInterval(pruning)
    }
  }, [own])
  return <Own value={own}>{children}</Own>
}

/** Sends what was decided in this tab before it was loaded again, as when the network was away. */
export function useSendUnsent(): void {
  const { unsent } = useOwnChanges()
  const { change } = useTriage()
  const owner = useCurrentUser()?.id ?? ''
  const send = useEffectEvent(async () => {
    if (!unsent.isAny()) return
    const [{ isSignedOut }, code] = await Promise.all([import('@/lib/inbox/drafts'), triageCode.want()])
    if (code === undefined) return
    // Not what was left here before a sign-out in another tab.
    const before = unsent.takeOver(isSignedOut(sessionStorage, localStorage) ? '' : owner)
    for (const { leads, decision } of before) void change(leads, decision)
  })
  useEffect(() => {
    send().catch(() => {})
  }, [])
}

function useOwnChanges(): OwnChanges {
  const own = useContext(Own)
  if (own === null) throw new Error('TriageProvider is missing')
  return own
}

/** What every answer about leads is folded with before it is shown (`lib/inbox/pending-changes.ts`). */
export function usePending(): { pending: Pending; readPending: () => Pending } {
  const { subscribe, read } = useOwnChanges().pending
  return { pending: useSyncExternalStore(subscribe, read, () => NOTHING_PENDING), readPending: read }
}

type ContactOptions = { initialData?: Parameters<typeof foldContact>[1] }

export function useContact(id: string, options: ContactOptions = {}) {
  const { pending } = usePending()
  const { data, error, isError, refetch } = useQuery({ ...contactQuery(id), ...options })
  const contact = useMemo(() => data && foldContact(pending, data), [pending, data])
  return { data: contact, error, isError, refetch }
}

export function useListCounts(list: LeadList, filter: LeadFilter, isEnabled = true): ListCounts | undefined {
  const { pending } = usePending()
  const { data } = useQuery({ ...listCounts(list, filter), enabled: isEnabled })
  const key = JSON.stringify(filter)
  return useMemo(
    () => data && foldCounts(pending, data, { kind: LISTS[list].kind, filter: JSON.parse(key) as LeadFilter }),
    [pending, data, list, key],
  )
}

export function useSchoolCounts(list: LeadList) {
  const { pending } = usePending()
  const { data } = useQuery(schoolCounts(list, useIsLive()))
  return useMemo(() => data && foldSchoolCounts(pending, list, data), [pending, list, data])
}

/** What there is to do today at these schools, or at all for none. */
export function useDay(schools: readonly string[], isEnabled = true) {
  const { pending } = usePending()
  const me = useCurrentUser()?.id ?? null
  const { data, error, refetch } = useQuery({ ...dayQuery(schools, useIsLive()), enabled: isEnabled })
  const day = useMemo(() => data && foldDay(pending, data, { schools, me }), [pending, data, schools, me])
  return { data: day, error, refetch }
}
