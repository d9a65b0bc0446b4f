import { useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { lazyCode } from '@/components/browser/lazy-code'
import { createShownState } from '@/components/browser/shown-state'
import { useCurrentUser } from '@/components/desk/current-user'
import { toast } from '@/components/ui/toast'
import { isQuestion } from '@/lib/inbox/lead-text'
import { NOTHING_PENDING, UNSENT_KEY } from '@/lib/inbox/pending'
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
  const own = useTabChanges()
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
      /** Undefined where the code could not be loaded; a notice says so. */
      mail: async (...mail: Parameters<Decisions['mail']>) => (await decisions())?.mail(...mail),
      sendAgain: async (...kept: Parameters<Decisions['sendAgain']>) => (await decisions())?.sendAgain(...kept),
      undo: async (onUndone?: Parameters<Decisions['undo']>[0]) => (await decisions())?.undo(onUndone),
      /** Answers later whether nothing that was decided after now is there to take back. */
      mark: own.steps.mark,
      changeMatching: async (...change: Parameters<Decisions['changeMatching']>) =>
        (await (await decisions())?.changeMatching(...change)) ?? false,
    }
  }, [client, owner, own, t, locale])
}

export const triageCode = lazyCode(async () => {
  const [decisions, nextLead] = await Promise.all([import('./triage-decisions'), import('./next-lead')])
  const { createDecisions, createOwnChanges } = decisions
  const { newLeft, nextUnhandled } = nextLead
  return { createDecisions, createOwnChanges, newLeft, nextUnhandled }
})

type TriageCode = NonNullable<ReturnType<typeof triageCode.read>>

const PRUNE_EVERY_MS = 10 * 60_000

/** What the user did in this tab. What lays it over the server's answers comes with the first decision. */
function createTabChanges() {
  const shown = createShownState(NOTHING_PENDING)
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
      const timer = setInterval(() => made?.pending.prune(), PRUNE_EVERY_MS)
      return () => {
        tabs = null
        channel.close()
        clearInterval(timer)
      }
    },
  }
}

const OwnChangesContext = createContext<ReturnType<typeof createTabChanges> | null>(null)

export function TriageProvider({ children }: { children: ReactNode }) {
  const [own] = useState(createTabChanges)
  useEffect(() => own.connect(), [own])
  return <OwnChangesContext value={own}>{children}</OwnChangesContext>
}

/** Sends what was decided in this tab before it was loaded again, as when the network was away. */
export function useSendUnsent(): void {
  const own = useTabChanges()
  const { sendAgain } = useTriage()
  const owner = useCurrentUser()?.id ?? ''
  const send = useEffectEvent(async () => {
    if (sessionStorage.getItem(UNSENT_KEY) === null) return
    const [{ isSignedOut }, code] = await Promise.all([import('@/lib/inbox/drafts'), triageCode.want()])
    if (code === undefined) return
    // Not what was left here before a sign-out in another tab.
    const before = own.changes(code).unsent.takeOver(isSignedOut(sessionStorage, localStorage) ? '' : owner)
    for (const one of before) void sendAgain(one)
  })
  useEffect(() => {
    send().catch(() => {})
  }, [])
}

export function useTabChanges() {
  const own = useContext(OwnChangesContext)
  if (own === null) throw new Error('TriageProvider is missing')
  return own
}
