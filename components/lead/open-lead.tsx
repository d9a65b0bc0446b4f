import { useQuery } from '@tanstack/react-query'
import { AlarmClock, CloudOff, FileX2, ListX, ShieldAlert } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { type RefObject, useEffect, useState } from 'react'
import { useStartOfToday } from '@/components/app/clock'
import { useIsLive } from '@/components/app/live'
import { useOwnChanges } from '@/components/app/own-changes'
import { useSchoolNames } from '@/components/app/schools'
import { cancelWriting, useWritingRequest } from '@/components/contact/writing-request'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { restoreFocus } from '@/components/ui/focus-return'
import { Skeleton } from '@/components/ui/loading'
import { toast } from '@/components/ui/toast'
import { type LeadItem, singleLeadQuery } from '@/lib/api/leads'
import { pollUnlessLive } from '@/lib/api/polling'
import type { LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { isStillSnoozed, patchLead } from '@/lib/inbox/own-changes'
import { type LeadKey, parseLeadKey } from '@/lib/leads/lead-key'
import { formatWeekdayDate } from '@/lib/time/format-date'
import { toStockholmDay } from '@/lib/time/stockholm'
import { LeadBody } from './lead-body'
import type { LeadProps } from './lead-props'
import { LeadToolbar } from './lead-toolbar'
import { ThumbBar } from './thumb-bar'
import { useIsOpened } from './use-is-opened'

export type OpenLeadProps = Pick<LeadProps, 'actions'> & {
  openKey: LeadKey
  listItem: LeadItem | undefined
  /** The list does not have the lead. */
  isMissing: boolean
  hasPrevious: boolean
  hasNext: boolean
  paneRef: RefObject<HTMLElement | null>
  /** False while a wide screen shows the list's first lead by itself, which is no opening. */
  isChosen: boolean
}

export function OpenLead(props: OpenLeadProps) {
  const { openKey, listItem, isMissing, paneRef, isChosen, actions } = props
  const t = useTranslations('lead')
  const tCommon = useTranslations('common')
  const lead = parseLeadKey(openKey)
  const isOpened = useIsOpened(paneRef, lead, isChosen)
  const { item, status, refetch } = useLead(lead, listItem)
  const isHidden = item?.protected?.isHidden === true
  useEffect(() => actions.setShownItem(item))
  // A lead that is hidden or not found cannot be answered. The panels of any other lead handle the request.
  useWritingRequest(lead, () => {
    if (status === 'loading' || (status === 'found' && !isHidden)) return undefined
    toast(t('nothingToWrite'), { topic: 'reply' })
    return false
  })
  useEffect(() => {
    // In a low window the pane itself scrolls, and each lead is read from its top.
    paneRef.current?.scrollTo({ top: 0 })
    return () => {
      cancelWriting(parseLeadKey(openKey))
      // The focused element is removed with the lead right after this clean-up.
      setTimeout(restoreFocus)
    }
  }, [paneRef, openKey])
  const backButton = <Button text={t('back')} onClick={actions.closeLead} />
  const retryButton = <Button text={tCommon('tryAgain')} onClick={() => void refetch()} />
  return (
    <>
      <LeadToolbar lead={lead} item={item} actions={actions} isOpened={isOpened} />
      {isMissing && item && (
        <output className="edge flex shrink-0 items-center gap-2 border-b border-line-soft bg-side py-1.5 text-xs text-mute">
          <ListX className="size-3.5 shrink-0" />
          {t('notInList')}
        </output>
      )}
      {item && <SnoozeNotice item={item} onUnsnooze={() => actions.decideLead(item, { snoozeUntil: null })} />}
      {/* The key makes each lead begin unscrolled, with closed sections and its own drafts. */}
      <div
        key={`lead ${openKey}`}
        className="@container scroll-thin min-h-0 flex-1 overflow-y-auto overscroll-contain low:flex-none low:overflow-visible"
      >
        {status === 'loading' && (
          <div className="lead-body">
            <output className="sr-only">{tCommon('loading')}</output>
            <Skeleton className="h-36 w-full" />
          </div>
        )}
        {status === 'gone' && (
          <EmptyState icon={<FileX2 />} title={t('gone')} hint={t('goneHint')} action={backButton} />
        )}
        {status === 'failed' && <EmptyState icon={<CloudOff />} title={t('failed')} action={retryButton} />}
        {item && isHidden && <HiddenLead item={item} />}
        {item && !isHidden && <LeadBody lead={lead} item={item} actions={actions} isOpened={isOpened} />}
      </div>
      {item && <ThumbBar key={`bar ${openKey}`} {...props} lead={lead} item={item} />}
    </>
  )
}

function SnoozeNotice({ item: { snoozeUntil }, onUnsnooze }: { item: LeadItem; onUnsnooze: () => void }) {
  const t = useTranslations('lead')
  const locale = useLocale()
  const today = toStockholmDay(useStartOfToday())
  if (snoozeUntil === null) return null
  const isSnoozed = isStillSnoozed(snoozeUntil, today)
  return (
    <output className="edge flex shrink-0 flex-wrap items-center gap-x-2 border-b border-line-soft bg-accent-soft py-1 text-sm text-ink">
      <AlarmClock className="size-4 shrink-0 text-accent" />
      <span className="tabular">
        {t(isSnoozed ? 'comesBack' : 'cameBack', { day: formatWeekdayDate(snoozeUntil, today, locale) })}
      </span>
      {isSnoozed && <Button text={t('takeBack')} variant="ghost" size="sm" onClick={onUnsnooze} />}
    </output>
  )
}

function HiddenLead({ item }: { item: LeadItem }) {
  const t = useTranslations('lead.protected')
  const schoolNames = useSchoolNames()
  const format = useFormatter()
  const people = item.protected?.people ?? []
  return (
    <EmptyState
      icon={<ShieldAlert />}
      title={t('title')}
      hint={
        <>
          <p className="font-medium wrap-anywhere">{schoolNames.nameForLead(item)}</p>
          <p>{t('hidden')}</p>
          <p>
            {people.length === 0 ? t('askAdmin') : t('ask', { people: format.list(people, { type: 'disjunction' }) })}
          </p>
        </>
      }
    />
  )
}

function useLead({ kind, id }: LeadRef, listItem: LeadItem | undefined) {
  const { data, isError, refetch } = useQuery({
    ...singleLeadQuery(LISTS_BY_KIND[kind].list, id),
    refetchInterval: pollUnlessLive(useIsLive()),
    enabled: listItem === undefined,
  })
  const ownChanges = useOwnChanges()
  const [lastListItem, setLastListItem] = useState(listItem)
  if (listItem !== undefined && listItem !== lastListItem) setLastListItem(listItem)
  const fetchedItem = data?.items[0] && patchLead(ownChanges, data.items[0], data)
  // A lead that has just left the loaded rows stays on screen until the answer arrives.
  const item = listItem ?? fetchedItem ?? (data === undefined && lastListItem?.id === id ? lastListItem : undefined)
  let status: 'loading' | 'failed' | 'gone' | 'found' = 'loading'
  if (item !== undefined) status = 'found'
  else if (data !== undefined) status = 'gone'
  else if (isError) status = 'failed'
  return { item, status, refetch }
}
