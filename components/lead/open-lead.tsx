import { useQuery } from '@tanstack/react-query'
import { AlarmClock, CloudOff, FileX2, ListX } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { type RefObject, useEffect, useState } from 'react'
import { useToday } from '@/components/app/clock'
import { useIsLive } from '@/components/app/live'
import { useOwnChanges } from '@/components/app/use-triage'
import { HiddenLead } from '@/components/contact/protected-lead'
import { cancelReply, useIsWritingRequested, useWritingRequest } from '@/components/contact/reply-request'
import { useIsWide } from '@/components/ui/browser-tab'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { focusAgain } from '@/components/ui/focus-return'
import { Kbd } from '@/components/ui/kbd'
import { Skeleton } from '@/components/ui/loading'
import { toast } from '@/components/ui/toast'
import { type LeadItem, oneLead } from '@/lib/api/leads'
import { refreshOptions } from '@/lib/api/polling'
import type { LeadRef } from '@/lib/contract/lead'
import type { ListDescription } from '@/lib/contract/lists'
import type { Subject } from '@/lib/inbox/list-state'
import { foldLead, isPutAside } from '@/lib/inbox/own-changes'
import { allCommands, keyPlaceOf } from '@/lib/keyboard/commands'
import { leadKey } from '@/lib/leads/lead-key'
import { weekdayAndDate } from '@/lib/time/format-date'
import { stockholmDay } from '@/lib/time/stockholm'
import { LeadBody, type LeadDecisions } from './lead-body'
import { type LeadMoves, LeadToolbar, ThumbBar } from './lead-toolbar'

export { loadWriting } from './lead-body'

export type OpenLeadProps = LeadMoves &
  LeadDecisions & {
    description: ListDescription
    id: string
    listed: LeadItem | undefined
    apart: Subject['apart']
    pane: RefObject<HTMLElement | null>
    /** False where the list shows the lead by itself: nothing is requested then that counts as opening it. */
    isChosen: boolean
  }

/** What one reads of a lead, in the HTML of the page too; its code comes after the list's. */
export function OpenLead({ id, description, listed, apart, pane, isChosen, ...rest }: OpenLeadProps) {
  const t = useTranslations('lead')
  const common = useTranslations('common')
  const { onPrevious, onNext, onClose, ...decide } = rest
  const lead = { kind: description.kind, id }
  const key = leadKey(lead)
  const isOpened = useIsOpened(pane, lead, isChosen)
  const { item, status, retry } = useLead(description, id, listed)
  const { kind } = description
  useEffect(() => {
    // In a low window the pane itself scrolls, and each lead is read from its top.
    pane.current?.scrollTo({ top: 0 })
    // What had the focus in it goes with the lead.
    return () => {
      cancelReply({ kind, id })
      setTimeout(focusAgain)
    }
  }, [pane, kind, id])
  return (
    <>
      <LeadToolbar lead={lead} item={item} decide={decide} isOpened={isOpened} onClose={onClose} />
      {apart !== null && item !== undefined && (
        <output className="edge flex shrink-0 items-center gap-2 border-b border-line-soft bg-side py-1.5 text-xs text-mute">
          <ListX className="size-3.5 shrink-0" />
          {t(`apart.${apart}`)}
        </output>
      )}
      {item !== undefined && <PutAsideLine item={item} onBack={() => decide.onBack(item)} />}
      {/* A new one for each lead: read from its top, with nothing unfolded or half written for another. */}
      <div
        key={`lead ${key}`}
        className="@container scroll-thin min-h-0 flex-1 overflow-y-auto overscroll-contain low:flex-none low:overflow-visible"
      >
        {status === 'loading' && (
          <div className="lead-body">
            <output className="sr-only">{common('loading')}</output>
            <Skeleton className="h-36 w-full" />
          </div>
        )}
        {status === 'gone' && (
          <EmptyState
            icon={<FileX2 />}
            title={t('gone')}
            hint={t('goneHint')}
            action={<Button text={t('back')} onClick={onClose} />}
          />
        )}
        {status === 'failed' && (
          <EmptyState
            icon={<CloudOff />}
            title={t('failed')}
            action={<Button text={common('tryAgain')} onClick={retry} />}
          />
        )}
        {item?.protected?.isHidden && <HiddenLead item={item} mark={item.protected} />}
        {item !== undefined && !item.protected?.isHidden && (
          <LeadBody lead={lead} item={item} decide={decide} isOpened={isOpened} />
        )}
        {(status === 'gone' || status === 'failed' || item?.protected?.isHidden) && <NothingToWrite lead={lead} />}
      </div>
      {item !== undefined && (
        <ThumbBar key={`bar ${key}`} lead={lead} item={item} decide={decide} onPrevious={onPrevious} onNext={onNext} />
      )}
    </>
  )
}

const LOOKED_AT_MS = 2_000

/**
 * Whether the lead counts as opened, which the server logs. One that the list shows by itself does so once it was in sight
 * for two seconds, or the user acts on it: by a press, the focus, or a key that decides.
 */
function useIsOpened(pane: RefObject<HTMLElement | null>, lead: LeadRef, isChosen: boolean): boolean {
  const key = leadKey(lead)
  const isInSight = useIsWide()
  const [openedKey, setOpenedKey] = useState<string | null>(null)
  const isWritingRequested = useIsWritingRequested(lead)
  const isOpened = isChosen || isWritingRequested || openedKey === key
  useEffect(() => {
    if (isOpened || !isInSight) return
    const end = new AbortController()
    const { signal } = end
    const open = () => setOpenedKey(key)
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') timer = setTimeout(open, LOOKED_AT_MS)
    }
    look()
    document.addEventListener('visibilitychange', look, { signal })
    pane.current?.addEventListener('pointerdown', open, { signal })
    pane.current?.addEventListener('focusin', open, { signal })
    const decides = ({ key: pressed, target }: KeyboardEvent) =>
      keyPlaceOf(target) !== 'typing' && allCommands().some((one) => one.group === 'decide' && one.key === pressed)
    window.addEventListener('keydown', (event) => decides(event) && open(), { capture: true, signal })
    return () => {
      clearTimeout(timer)
      end.abort()
    }
  }, [pane, key, isOpened, isInSight])
  return isOpened
}

function PutAsideLine({ item: { snoozeUntil }, onBack }: { item: LeadItem; onBack: () => void }) {
  const t = useTranslations('lead')
  const locale = useLocale()
  const today = stockholmDay(useToday())
  if (snoozeUntil === null) return null
  const isAway = isPutAside(snoozeUntil, today)
  return (
    <output className="edge flex shrink-0 flex-wrap items-center gap-x-2 border-b border-line-soft bg-accent-soft py-1 text-sm text-ink">
      <AlarmClock className="size-4 shrink-0 text-accent" />
      <span className="tabular">
        {t(isAway ? 'comesBack' : 'cameBack', { day: weekdayAndDate(snoozeUntil, today, locale) })}
      </span>
      {isAway && <Button text={t('takeBack')} variant="ghost" size="sm" onClick={onBack} />}
    </output>
  )
}

/** Says why the keys that write do nothing. */
function NothingToWrite({ lead }: { lead: LeadRef }) {
  const t = useTranslations('lead')
  useWritingRequest(lead, () => {
    toast(t('nothingToWrite'), { topic: 'reply' })
    return false
  })
  return null
}

function useLead(description: ListDescription, id: string, listed: LeadItem | undefined) {
  const { data, isError, refetch } = useQuery({
    ...oneLead(description.list, id),
    ...refreshOptions(useIsLive()),
    enabled: listed === undefined,
  })
  const own = useOwnChanges()
  const [seen, setSeen] = useState(listed)
  if (listed !== undefined && listed !== seen) setSeen(listed)
  const fetched = data?.items[0] && foldLead(own, description.kind, data.items[0], data)
  // Scrolled out of the loaded rows a moment ago: what was on screen stays until the answer is there.
  const item = listed ?? fetched ?? (data === undefined && seen?.id === id ? seen : undefined)
  const missing = data !== undefined ? 'gone' : isError ? 'failed' : 'loading'
  return { item, status: item === undefined ? missing : ('shown' as const), retry: () => void refetch() }
}

/** Beside a list with something to choose. */
export function NothingOpen() {
  const t = useTranslations('lead')
  return (
    <p className="m-auto p-6 text-center text-sm text-faint touch:hidden">
      {t.rich('pickHint', { kbd: (key) => <Kbd>{key}</Kbd> })}
    </p>
  )
}
